/**
 * How a server introduces itself to an agent, in either era.
 */
import type { McpMessageContext } from './context.js';

/** What an introduction says of what is offered. */
export interface McpIntroduction {
  readonly capabilities: Readonly<Record<string, object>>;
  readonly instructions?: string;
}

/**
 * What is offered, and the gate's instructions with the number of tools and other things that wait for authorization: counted,
 * never named (A3).
 *
 * @param announced whether the client, as it speaks here, can be told of changes (`listChanged`, `subscribe`)
 */
export async function introduce(context: McpMessageContext, announced: boolean): Promise<McpIntroduction> {
  const resources = await context.resources?.();
  const prompts = await context.prompts?.();
  const changes = announced ? { listChanged: true } : {};
  const capabilities = {
    tools: changes,
    ...(resources && { resources: announced ? { subscribe: true, ...changes } : changes }),
    ...(prompts && { prompts: changes }),
    ...((await context.completions?.()) && { completions: {} }),
    logging: {}, // any tool may log, for who asks
  };
  const reserved = reservedSentence([
    ['tool', await context.catalogue.reserved()],
    ['resource', resources?.reserved() ?? 0],
    ['prompt', prompts?.reserved() ?? 0],
  ]);
  const parts = [context.server.instructions, reserved].filter((part) => part !== undefined);
  return { capabilities, ...(parts.length > 0 && { instructions: parts.join('\n\n') }) };
}

/** `2 more tools and 1 prompt are available with authorization.` */
function reservedSentence(counts: readonly (readonly [string, number])[]): string | undefined {
  const some = counts.filter(([, count]) => count > 0);
  if (some.length === 0) return undefined;
  const words = some.map(([noun, count], at) => `${count}${at === 0 ? ' more' : ''} ${noun}${count === 1 ? '' : 's'}`);
  const list = [words.slice(0, -1).join(', '), words.at(-1)].filter((part) => part !== '').join(' and ');
  const isOne = some.length === 1 && some[0]![1] === 1;
  return `${list} ${isOne ? 'is' : 'are'} available with authorization.`;
}
