/**
 * What the operator reads of a gate when the application has started: where it stands, how much it offers, and what of it
 * cannot work.
 */
import type { ApplicationConfig } from '@nestjs/core';
import type { McpGate } from '../gate/gate.js';
import type { McpLog } from '../gate/log.js';
import type { McpOffers } from '../gate/offers.js';
import type { McpToolSource } from '../tools/catalogue.js';
import type { McpVisible } from '../tools/visibility.js';
import type { PlacedRoute } from './gate.route.js';

/** A gate where it stands. */
export interface AnnouncedGate {
  readonly gate: McpGate;
  readonly route: PlacedRoute;
  /** Whether its route names a version. */
  readonly versioned: boolean;
}

/** What else is known of it, and where it is told. */
export interface GateSurroundings {
  readonly source: McpToolSource;
  readonly offers: () => McpOffers;
  readonly config: Pick<ApplicationConfig, 'getVersioning'>;
  readonly log: Pick<McpLog, 'warn'> & { log(message: string): void };
}

export async function announceGate(
  { gate, route, versioned }: AnnouncedGate,
  { source, offers, config, log }: GateSurroundings,
): Promise<void> {
  const { name, enabled, accounts, authorization } = gate.settings;
  const { entries } = source.fixed();
  if (!enabled) return log.log(`${name}: disabled`);
  const acting = entries.find(({ tool }) => tool.actsForUser === true)?.tool.name;
  if (acting !== undefined && accounts === undefined && authorization !== undefined) {
    log.warn(`${name}: tool ${acting} acts for a user, and no setting "accounts" finds one: its calls are refused.`);
  }
  // A process without HTTP has not run main.ts, and serves no path.
  if (versioned && route.paths.length > 0 && config.getVersioning() === undefined) {
    log.warn(`${name}: its "version" has no effect, the application has no versions: call app.enableVersioning().`);
  }
  const offered = offers();
  const [resources, prompts] = [await offered.resources(), await offered.prompts()];
  const counts = [
    counted(entries.length, 'tool'),
    ...(resources.isEmpty ? [] : [counted(resources.entries.length, 'resource')]),
    ...(prompts.isEmpty ? [] : [counted(prompts.entries.length, 'prompt')]),
  ];
  const places = route.paths.map((path) => ` at POST ${path}`).join('');
  const reserved = [...entries, ...resources.entries, ...prompts.entries].filter(isReserved).length;
  log.log(`${name}: ${counts.join(', ')}${places}${reserved > 0 ? `, ${reserved} reserved` : ''}`);
}

/** Whether a caller needs something for it. */
export function isReserved({ reservation, admits }: McpVisible): boolean {
  const { scopes = [], requiresAuth = false, actsForUser = false } = reservation;
  return scopes.length > 0 || requiresAuth || actsForUser || admits !== undefined;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
