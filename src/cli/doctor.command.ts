/**
 * `doctor`: visits a deployed gate as its clients do, through everything that stands before it, and says what to change.
 */
import { Option, type Command } from 'commander';
import type { Finding } from './doctor/finding.js';
import type { VisitPlan } from './doctor/visit.js';
import { EXIT_FAULT, EXIT_INTERRUPTED, McpCommandEnd } from './ending.js';
import { addTokenOption, readDuration, readGateUrl, readJsonObject, readOrigin } from './option-readers.js';
import { jsonText, paintFor } from './paint.js';
import { tokenFrom, withoutToken } from './secret-token.js';
import type { McpCommandSurroundings } from './surroundings.js';

interface DoctorOptions {
  readonly url: string;
  readonly tokenEnv?: string;
  readonly direct?: string;
  readonly origin?: string;
  readonly tool?: string;
  readonly args?: object;
  readonly idle: number;
  readonly timeout: number;
  readonly json?: true;
}

/** Adds the command to the program. */
export function addDoctorCommand(program: Command, surroundings: McpCommandSurroundings): void {
  const doctor = program
    .command('doctor')
    .description('Visits a deployed gate as a client, through its proxy, and says what to change.')
    .requiredOption('--url <url>', 'the address of the gate as clients write it', readGateUrl);
  addTokenOption(doctor, 'the environment variable that holds a token for the gate')
    .option('--direct <url>', 'the same gate without its proxy: tells whose a fault is', readGateUrl)
    .option('--origin <origin>', 'the origin of a web page that is to call the gate', readOrigin)
    .option('--tool <name>', 'a tool that may be called, best one that reports progress and takes long')
    .option('--args <json>', 'its arguments', readJsonObject)
    .addOption(duration('--idle <duration>', 'how long a stream must live').default(60_000, '60s'))
    .addOption(duration('--timeout <duration>', 'how long one request may take').default(10_000, '10s'))
    .option('--json', 'prints the findings as JSON')
    .addHelpText(
      'after',
      `
Without --tool at most one tool is called: one that says of itself that it only reads, and that needs no arguments.
Messages of up to 4.3 MB are sent. Exits with 1 when something must be changed.

Examples:
  $ nestjs-mcp-gate doctor --url https://shop.example/mcp --token-env SHOP_TOKEN
  $ nestjs-mcp-gate doctor --url https://shop.example/mcp --direct http://127.0.0.1:3000/mcp --tool shop_reindex`,
    )
    .action((options: DoctorOptions) => visit(options, surroundings));
}

function duration(flags: string, description: string): Option {
  return new Option(flags, description).argParser(readDuration);
}

async function visit(options: DoctorOptions, given: McpCommandSurroundings): Promise<void> {
  if (options.args !== undefined && options.tool === undefined) throw new Error('--args goes with --tool.');
  const token = options.tokenEnv === undefined ? undefined : tokenFrom(options.tokenEnv, given);
  const surroundings = withoutToken(given, token);
  const { interrupted } = surroundings;
  const { url, origin, tool, args = {}, idle, timeout, direct } = options;
  const plan: VisitPlan = {
    url,
    idleMs: idle,
    timeoutMs: timeout,
    signal: interrupted,
    ...(token !== undefined && { token }),
    ...(origin !== undefined && { origin }),
    ...(tool !== undefined && { call: { tool, args } }),
  };
  try {
    const findings = await findingsOf(plan, direct, options.json === true, surroundings);
    if (findings.some(({ verdict }) => verdict === 'change')) throw new McpCommandEnd(EXIT_FAULT);
  } catch (error) {
    throw interrupted.aborted ? new McpCommandEnd(EXIT_INTERRUPTED) : error;
  }
}

async function findingsOf(
  plan: VisitPlan,
  direct: string | undefined,
  asJson: boolean,
  surroundings: McpCommandSurroundings,
): Promise<Finding[]> {
  const { out, err, terminal } = surroundings;
  const { blamed, examine } = await import('./doctor/examine.js');
  const { findingInWords, summaryInWords } = await import('./doctor/report.js');
  const paint = paintFor(surroundings, 'out');
  const faultsOfGate = new Set<Finding['fault']>();
  if (direct !== undefined) {
    if (terminal.err) err(`Asking ${direct} first …\n`);
    for await (const { fault } of examine({ ...plan, url: direct })) faultsOfGate.add(fault);
  }
  const findings: Finding[] = [];
  for await (const found of examine(plan)) {
    const finding = direct === undefined ? found : blamed(found, faultsOfGate);
    findings.push(finding);
    if (!asJson) out(findingInWords(finding, paint, terminal.columns));
  }
  const sound = findings.every(({ verdict }) => verdict !== 'change');
  out(asJson ? jsonText({ url: plan.url, sound, findings }) : summaryInWords(findings, paint));
  return findings;
}
