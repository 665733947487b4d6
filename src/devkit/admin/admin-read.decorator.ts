/**
 * The decorator that makes a method a read of the administration.
 */
import { declareElsewhere, Decoration } from '../../nest/decoration.js';
import type { McpToolDeclaration } from '../../nest/tool.decorator.js';

/** What `@AdminRead()` says of a method. */
export type AdminReadDeclaration = Pick<McpToolDeclaration, 'name' | 'description' | 'inputSchema'>;

const ADMIN_READ = new Decoration<AdminReadDeclaration>('nestjs-mcp-gate:admin-read', 'a read of the administration');

/**
 * Makes a method of a provider or a controller a READ that the devkit's `nest_admin_call` runs for callers with the scope
 * `admin:read`. It is a tool in all but its place: arguments come from its parameter's class or from `inputSchema`, and
 * `@RequireScopes()`, `@RequireAuth()`, guards, pipes, interceptors and filters on it work as on a tool.
 *
 * Does NOT check that it only reads: that is the author's word.
 *
 * @throws TypeError where it stands on anything but a method of instances.
 */
export function AdminRead(declaration: AdminReadDeclaration): MethodDecorator {
  const write = ADMIN_READ.write('@AdminRead()', declaration);
  return (target, key, descriptor: PropertyDescriptor) => {
    write(target, key, descriptor);
    declareElsewhere(descriptor.value as object);
  };
}

/** What a method declares; `undefined` when it is no read. */
export function readAdminRead(method: object): AdminReadDeclaration | undefined {
  return ADMIN_READ.read(method);
}
