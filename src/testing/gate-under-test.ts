/**
 * A gate of a started application, as the testing tools get hold of it: the same settings and the same source of tools
 * that answer over HTTP.
 */
import type { INestApplicationContext } from '@nestjs/common';
import type { McpOffers } from '../gate/offers.js';
import { createMcpSeal } from '../gate/seal.js';
import type { ResolvedGateSettings } from '../gate/settings.js';
import { chosenGate, gatesOf } from '../nest/chosen-gate.js';
import type { McpGates } from '../nest/gates.js';
import type { McpSeal } from '../protocol/seal.js';
import type { McpToolSource } from '../tools/catalogue.js';
import type { McpDeclaredTool } from '../tools/declared-tool.js';
import { McpToolIndex } from '../tools/tool-index.js';

/** A gate, without its HTTP. */
export interface GateUnderTest {
  readonly settings: ResolvedGateSettings;
  readonly source: McpToolSource;
  readonly offers: McpOffers;
  readonly seal: McpSeal;
  /** Aborts when the application is closed. */
  readonly closing: AbortSignal;
}

/**
 * The gate of that name; without a name the application's only one.
 *
 * @throws Error when there is no such gate, when it is disabled, or when the application has not started.
 */
export function gateUnderTest(app: INestApplicationContext, name?: string): GateUnderTest {
  const gates = gatesOf(app);
  return openGate(gates, chosenGate(gates, name).settings.name);
}

/** Every gate of the application, also those that are not enabled. */
export function gatesUnderTest(app: INestApplicationContext): GateUnderTest[] {
  const gates = gatesOf(app);
  return gates.names.map((name) => openGate(gates, name));
}

/** Every tool of a gate, as it is at this moment, whoever may have it. */
export async function everyTool({ source }: Pick<GateUnderTest, 'source'>): Promise<readonly McpDeclaredTool[]> {
  const fresh = await source.fresh?.();
  return McpToolIndex.join(source.fixed(), fresh ?? McpToolIndex.EMPTY).entries;
}

/** Why a gate lets a caller no further than its door; a protected gate asks a stranger for a token (A7). */
export function turnedAwayBecause(
  { authorization }: ResolvedGateSettings,
  caller: { readonly authenticated: boolean },
): string | undefined {
  const lets = authorization === undefined || authorization.anonymous === true || caller.authenticated;
  return lets ? undefined : 'the gate serves nobody without a token';
}

function openGate(gates: McpGates, name: string): GateUnderTest {
  return {
    settings: gates.get(name).settings,
    source: gates.source(name),
    offers: gates.offers(name),
    seal: createMcpSeal(name),
    closing: gates.closing,
  };
}
