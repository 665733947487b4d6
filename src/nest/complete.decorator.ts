/**
 * The decorator that makes a method propose values.
 */
import type { McpCompletionTarget } from '../completions/completion.js';
import { Decoration } from './decoration.js';

const COMPLETE = new Decoration<McpCompletionTarget>('nestjs-mcp-gate:complete', 'a completion');

/**
 * Makes a method propose values for one argument of a prompt, or one variable of a resource template, that is served
 * beside it. It is called with `(value, { arguments }, caller, run)`: what is typed so far, and the other arguments as far
 * as they are known. It returns a list of strings, of which clients get the first 100.
 */
export function McpComplete(target: McpCompletionTarget): MethodDecorator {
  return COMPLETE.write('@McpComplete()', target);
}

/** What a method completes; `undefined` when it completes nothing. */
export function readCompleteDecoration(method: object): McpCompletionTarget | undefined {
  return COMPLETE.read(method);
}
