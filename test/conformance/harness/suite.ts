/**
 * The official suite as a command, and what it wrote down: what a revision requires, and how each scenario went.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In the order of their runs. The older has no short time limits: it warms the gate up for those of the newer. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** One thing that a scenario looked at. */
export interface Check {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** A `WARNING` is a SHOULD that is not kept; what is `SKIPPED` was not looked at; `INFO` judges nothing. */
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** A scenario that a revision has for servers. */
export interface Scenario {
  readonly name: string;
  readonly revision: Revision;
  /** Whether conformance to the revision needs it. */
  readonly scored: boolean;
}

interface RequirementSet {
  readonly server: readonly string[];
  readonly not_scored: readonly { readonly scenario: string; readonly leg: 'client' | 'server' }[];
}

const SUITE = fileURLToPath(new URL('../../suite', import.meta.url));
const LONGEST_RUN_MS = 180_000;

const PACKAGE = join(SUITE, 'node_modules/@modelcontextprotocol/conformance');
const COMMAND = join(PACKAGE, 'dist/index.js');

/** What a revision asks of servers, in the suite's own order. */
export function scenariosOf(revision: Revision): Scenario[] {
  const yaml = createRequire(COMMAND)('yaml') as { parse(text: string): unknown };
  const set = yaml.parse(readFileSync(join(PACKAGE, `requirements/${revision}.yaml`), 'utf8')) as RequirementSet;
  const others = set.not_scored.filter(({ leg }) => leg === 'server').map(({ scenario }) => scenario);
  return [
    ...set.server.map((name) => ({ name, revision, scored: true })),
    ...others.map((name) => ({ name, revision, scored: false })),
  ];
}

/**
 * Runs what a revision asks of servers, or one scenario of it, against a gate: the checks by the scenario's name.
 *
 * @throws when the suite wrote down nothing: with what it printed.
 */
export async function runSuite(
  url: string,
  revision: Revision,
  scenario?: string,
): Promise<ReadonlyMap<string, Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-gate-conformance-'));
  try {
    const what =
      scenario === undefined
        ? ['--requirements', revision]
        : ['--scenario', scenario, '--spec-version', revision, '--force'];
    const printed = await run(['server', '--url', url, '--output-dir', folder, ...what]);
    const checks = readResults(folder);
    if (checks.size === 0) throw new Error(`The suite wrote no results down. It printed:\n${printed}`);
    return checks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What it prints. Its exit code says only what its results say in full. */
function run(args: readonly string[]): Promise<string> {
  const preload = join(SUITE, 'fs-of-node-22.mjs');
  return new Promise((settle) => {
    execFile(
      process.execPath,
      ['--import', preload, COMMAND, ...args],
      { timeout: LONGEST_RUN_MS, maxBuffer: 2 ** 26 },
      (_, stdout, stderr) => settle(stdout + stderr),
    );
  });
}

function readResults(folder: string): Map<string, Check[]> {
  const results = new Map<string, Check[]>();
  for (const entry of readdirSync(folder)) {
    const name = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(entry)?.[1];
    if (name === undefined) continue;
    try {
      results.set(name, JSON.parse(readFileSync(join(folder, entry, 'checks.json'), 'utf8')) as Check[]);
    } catch {
      // It came to no end: a scenario without results is lost.
    }
  }
  return results;
}
