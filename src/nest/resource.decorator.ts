/**
 * Decorators that make a method something to read: a resource, or the resources of a template.
 */
import type {
  McpResource as McpResourceObject,
  McpResourceTemplate as McpResourceTemplateObject,
} from '../resources/resource.js';
import { Decoration } from './decoration.js';

/** The type of a resource and the decorator share their name, as those of tools do. */
export type McpResource = McpResourceObject;

/** The type of a template and the decorator share their name. */
export type McpResourceTemplate = McpResourceTemplateObject;

type Reserved = 'scopes' | 'requiresAuth' | 'actsForUser' | 'read';

/** What `@McpResource()` says of a method: the published part of a resource. */
export type McpResourceDeclaration = Omit<McpResourceObject, Reserved>;

/** What `@McpResourceTemplate()` says of a method: the published part of a template. */
export type McpResourceTemplateDeclaration = Omit<McpResourceTemplateObject, Reserved>;

const RESOURCE = new Decoration<McpResourceDeclaration>('nestjs-mcp-gate:resource', 'a resource');
const TEMPLATE = new Decoration<McpResourceTemplateDeclaration>(
  'nestjs-mcp-gate:resource-template',
  'a resource template',
);

/**
 * Makes a method of a provider or a controller a resource. It is called with `({ uri }, caller, run)`, or with what its
 * parameters' decorators ask for; what it returns is read.
 */
export function McpResource(declaration: McpResourceDeclaration): MethodDecorator {
  return RESOURCE.write('@McpResource()', declaration);
}

/**
 * Makes a method the resources of a template. It is called with `(variables, caller, run)`: a class with class-validator
 * decorators as its parameter's type checks the variables, and what it refuses is refused with `-32602`.
 */
export function McpResourceTemplate(declaration: McpResourceTemplateDeclaration): MethodDecorator {
  return TEMPLATE.write('@McpResourceTemplate()', declaration);
}

/** What makes a method something to read, each with the arguments that it is called with. */
export function readResourceDecorations(
  method: object,
): readonly (McpResourceDeclaration | McpResourceTemplateDeclaration)[] {
  return [RESOURCE.read(method), TEMPLATE.read(method)].filter((declaration) => declaration !== undefined);
}
