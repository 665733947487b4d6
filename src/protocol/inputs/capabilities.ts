/**
 * What a client can be asked for, by what it declared.
 */
import type { McpInputNeed } from '../../runs/input.js';
import { isObject } from '../messages.js';

type Capabilities = Readonly<Record<string, unknown>>;

const DECLARED: Readonly<Record<McpInputNeed, (capabilities: Capabilities) => boolean>> = {
  // Nothing said of modes means forms (2026-07-28, elicitation, capabilities).
  elicitation: ({ elicitation }) => isObject(elicitation) && (isObject(elicitation['form']) || !('url' in elicitation)),
  'elicitation.url': ({ elicitation }) => isObject(elicitation) && isObject(elicitation['url']),
  sampling: ({ sampling }) => isObject(sampling),
  'sampling.tools': ({ sampling }) => isObject(sampling) && isObject(sampling['tools']),
  roots: ({ roots }) => isObject(roots),
};

/** Whether a client that declared `capabilities` can be asked for something. */
export function declares(capabilities: Capabilities, need: McpInputNeed): boolean {
  return Object.hasOwn(DECLARED, need) && DECLARED[need](capabilities);
}

/** The revision that brought what a client may be asked for. */
const SINCE: Readonly<Record<McpInputNeed, string>> = {
  elicitation: '2025-06-18',
  'elicitation.url': '2025-11-25',
  sampling: '2025-03-26',
  'sampling.tools': '2025-11-25',
  roots: '2025-03-26',
};

/** Whether a revision knows of something. */
export function isKnownIn(version: string, need: McpInputNeed): boolean {
  return Object.hasOwn(SINCE, need) && version >= SINCE[need];
}
