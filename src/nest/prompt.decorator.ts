/**
 * The decorator that makes a method a prompt.
 */
import type { McpPrompt as McpPromptObject } from '../prompts/prompt.js';
import { Decoration } from './decoration.js';

/** The type of a prompt and the decorator share their name, as those of tools do. */
export type McpPrompt<Args = Record<string, unknown>> = McpPromptObject<Args>;

/** What `@McpPrompt()` says of a method: the published part of a prompt. */
export type McpPromptDeclaration = Omit<McpPromptObject, 'scopes' | 'requiresAuth' | 'actsForUser' | 'handler'>;

const PROMPT = new Decoration<McpPromptDeclaration>('nestjs-mcp-gate:prompt', 'a prompt');

/**
 * Makes a method of a provider or a controller a prompt. It is called with `(args, caller, run)`, or with what its
 * parameters' decorators ask for. Without `inputSchema` the arguments are those of its parameter's class, as for a tool.
 */
export function McpPrompt(declaration: McpPromptDeclaration): MethodDecorator {
  return PROMPT.write('@McpPrompt()', declaration);
}

/** What makes a method a prompt; `undefined` when nothing does. */
export function readPromptDecoration(method: object): McpPromptDeclaration | undefined {
  return PROMPT.read(method);
}
