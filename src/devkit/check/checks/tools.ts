/**
 * What is wrong with the application's tools: declarations that no gate serves, hints that are missing, and what clients and
 * vendors are known to mishandle.
 */
import { checkMcpAnnotations } from '../../../tools/annotations.js';
import { isOwnTool } from '../../../tools/own-tool.js';
import { checkMcpPortability } from '../../../tools/portability.js';
import type { Finding, WiringCheck } from '../finding.js';

export const tools: WiringCheck = async ({ gates }) => {
  const served = (await gates.tools({})).filter(({ entry }) => !isOwnTool(entry.tool));
  const seen = new Set<string>();
  const once = (finding: Finding): Finding[] => {
    const key = `${finding.where} ${finding.what}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [finding];
  };
  return [
    ...gates.discarded.flatMap(({ origin, name, reason }) =>
      once({
        level: 'fault',
        what: `${name === undefined ? 'A declaration' : `Tool "${name}"`} is served by no gate: ${reason}`,
        where: origin,
        cure: 'Mend the declaration as the reason says.',
      }),
    ),
    ...served.flatMap(({ entry, origin, gate }) => [
      ...checkMcpAnnotations(entry.tool).flatMap((what) =>
        once({ level: 'fault', what, where: origin, cure: 'Say it in @Annotations().' }),
      ),
      ...checkMcpPortability(entry.published, { server: gate }).flatMap((what) =>
        once({
          level: 'look',
          what,
          where: origin,
          cure: 'Write the name, description or schema so that every client takes it.',
        }),
      ),
    ]),
  ];
};
