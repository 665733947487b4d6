/**
 * A decorated method, turned into the plain resource or template that a user could have written by hand.
 */
import type { McpCaller } from '../caller.js';
import { readTexts } from '../prompts/arguments.js';
import type { McpResource, McpResourceEntry, McpResourceTemplate } from '../resources/resource.js';
import { UriTemplate } from '../resources/uri-template/uri-template.js';
import { currentAmbient } from '../runs/ambient.js';
import type { McpRun } from '../runs/run.js';
import type { McpToolFault } from '../tools/declarations.js';
import type { DtoShape, ReadDto } from '../tools/schemas/dto.js';
import type { BoundMethod, MethodEnhancers } from './enhancers.js';
import { McpExecutionContext } from './execution.js';
import { isOneValue } from './input.js';
import { compileCall } from './invoker.js';
import { callOf, guardRule } from './method-call.js';
import { toolsOnlyFault, type McpToolDecoration } from './tool.decorator.js';
import type { McpResourceDeclaration, McpResourceTemplateDeclaration } from './resource.decorator.js';
import { readSignature, type ToolParameter } from './signature.js';
import type { ToolHost } from './tool-host.js';

/** The resource of one decorated method, or why it cannot be one. `reserved` is what else stands on the method. */
export function toMethodResource(
  host: ToolHost,
  name: string,
  declaration: McpResourceDeclaration | McpResourceTemplateDeclaration,
  reserved: McpToolDecoration | undefined,
  enhancers: MethodEnhancers,
  readDto: ReadDto | undefined,
): McpResourceEntry | { readonly fault: McpToolFault } {
  const origin = `${host.name}.${name}`;
  const refuse = (reason: string) => ({ fault: { origin, ...named(declaration), reason } });
  const signature = readSignature(host.prototype, name);
  const fault = 'fault' in signature ? signature.fault : toolsOnlyFault(reserved);
  if ('fault' in signature || fault !== undefined) return refuse(fault!);

  const method = (host.prototype as Record<string, BoundMethod['method']>)[name]!;
  const call = callOf(host, method, (bound) => compileCall(enhancers, bound, signature));
  const type = signature.args?.metatype;
  const shape = typeof type === 'function' ? readDto?.(type) : undefined;
  const variables = variablesFault(declaration, signature.args, shape);
  if (variables !== undefined) return refuse(variables);
  const read = (given: unknown, caller: McpCaller, run: McpRun): unknown => {
    const args = (typeof given === 'string' ? { uri: given } : given) as Record<string, unknown>;
    const invoke = (taken: object) =>
      call(
        new McpExecutionContext({ resource }, caller, currentAmbient()?.request, taken as Record<string, unknown>, run),
      );
    return shape === undefined ? invoke(args) : shape.parse(readTexts(shape.schema, args)).then(invoke);
  };
  const { scopes, requiresAuth } = reserved ?? {};
  const resource = {
    ...declaration,
    ...(scopes !== undefined && { scopes }),
    ...(requiresAuth !== undefined && { requiresAuth }),
    read,
  } as McpResource | McpResourceTemplate;
  const rule = guardRule(host, method, enhancers);
  return {
    resource,
    origin,
    ...(rule && { admits: ({ caller, request, args }) => rule({ resource }, { caller, request, args }) }),
  };
}

/** How the log calls it. */
function named(
  declaration: McpResourceDeclaration | McpResourceTemplateDeclaration,
): Omit<McpToolFault, 'origin' | 'reason'> {
  return 'uriTemplate' in declaration
    ? { name: declaration.uriTemplate, kind: 'resource template' }
    : { name: declaration.uri, kind: 'resource' };
}

/**
 * Why a method with this parameter is none for the URI: it could never be read, or a variable would come in unchecked by a class
 * that seems to check all; `undefined` when nothing is wrong. What a resource is given, its own URI, needs no check.
 */
function variablesFault(
  declaration: McpResourceDeclaration | McpResourceTemplateDeclaration,
  args: ToolParameter | undefined,
  shape: DtoShape | undefined,
): string | undefined {
  const variables = variablesOf(declaration);
  if (args === undefined || variables === undefined) return undefined;
  if (isOneValue(args.metatype) && args.pipes.length === 0) {
    const names = variables.join(', ');
    return `its first parameter is of the type ${(args.metatype as Function).name}, but the variables come in it as one object: take { ${names} }.`;
  }
  if (shape === undefined) return undefined;
  const { properties, required } = shape.schema as { properties: object; required?: readonly string[] };
  const missing = required?.find((name) => !variables.includes(name));
  const { name } = args.metatype as Function;
  if (missing !== undefined) {
    return `its class ${name} needs "${missing}", which is none of its variables (${variables.join(', ')}): give both one name.`;
  }
  const undeclared = 'uriTemplate' in declaration && variables.find((each) => !Object.hasOwn(properties, each));
  return typeof undeclared === 'string'
    ? `its class ${name} says nothing of the variable "${undeclared}", which would come in unchecked: declare it, with @Allow() if it may be anything.`
    : undefined;
}

/** The names under which a method is given what a URI says; `undefined` of a template that cannot be read anyway. */
function variablesOf(
  declaration: McpResourceDeclaration | McpResourceTemplateDeclaration,
): readonly string[] | undefined {
  if (!('uriTemplate' in declaration)) return ['uri'];
  try {
    return new UriTemplate(declaration.uriTemplate).variables;
  } catch {
    return undefined; // said of the template itself when it is declared
  }
}
