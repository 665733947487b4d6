/**
 * Holds every tool of an application to its annotations, in one line of a test.
 */
import type { INestApplicationContext } from '@nestjs/common';
import { checkMcpAnnotations } from '../tools/annotations.js';
import { everyTool, gatesUnderTest } from './gate-under-test.js';

/**
 * Looks at the tools of all gates, also those that `getMcpTools()` gives at this moment. Does NOT check that the hints
 * are true, nor see declarations that were discarded at boot.
 *
 * @throws Error that lists every fault of every tool, with the place of its declaration.
 */
export async function expectAnnotated(app: INestApplicationContext): Promise<void> {
  const faults = new Set<string>(); // a tool that two gates serve is told of once
  for (const gate of gatesUnderTest(app)) {
    for (const { tool, origin } of await everyTool(gate)) {
      for (const fault of checkMcpAnnotations(tool)) faults.add(`${origin}: ${fault}`);
    }
  }
  if (faults.size === 0) return;
  throw new Error(`Annotations leave a client guessing. Mend them with @Annotations():\n- ${[...faults].join('\n- ')}`);
}
