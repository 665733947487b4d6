/**
 * A catalogue for people: a line for each tool, those that the caller has first, and below what is to be mended.
 */
import type { McpCaller } from '../../caller.js';
import { quoted, type Paint } from '../paint.js';
import { wrapped } from '../wrap.js';
import type { CatalogueReport, CatalogueTool } from './read-catalogue.js';

/** The catalogue in words. */
export function catalogueInWords(report: CatalogueReport, paint: Paint, columns: number): string {
  const { gate, caller, tools } = report;
  const lines = [
    `${gate}, as ${callerInWords(caller)} finds it`,
    '',
    ...(tools.length === 0 ? ['There are no tools.'] : tableOf(tools, paint)),
    '',
    ...wrapped(sizeInWords(report), columns),
    ...faultsInWords(report, paint, columns),
  ];
  return `${lines.join('\n')}\n`;
}

function callerInWords({ authenticated, subject, scopes }: McpCaller): string {
  if (!authenticated) return 'a stranger';
  const who = subject === undefined ? 'a caller' : quoted(subject);
  return scopes.length === 0 ? `${who} without scopes` : `${who} with ${scopes.join(', ')}`;
}

function tableOf(tools: readonly CatalogueTool[], paint: Paint): string[] {
  const rows = [
    ['TOOL', 'TOKENS', 'DECLARED BY', 'FOR THE CALLER'],
    ...sorted(tools).map((tool) => [tool.name, String(tool.tokens), quoted(tool.origin), standing(tool)]),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const hiddenFrom = 1 + tools.filter(({ listed }) => listed).length;
  return rows.map(([name, tokens, origin, says], at) => {
    const cells = [name!.padEnd(widths[0]!), tokens!.padStart(widths[1]!), origin!.padEnd(widths[2]!), says!];
    const line = cells.join('  ').trimEnd();
    return at === 0 ? paint('strong', line) : at >= hiddenFrom ? paint('quiet', line) : line;
  });
}

/** Those that the caller has, then the others; each in the order of a client's list. */
function sorted(tools: readonly CatalogueTool[]): CatalogueTool[] {
  return [...tools.filter(({ listed }) => listed), ...tools.filter(({ listed }) => !listed)];
}

function standing({ listed, call, reason = '' }: CatalogueTool): string {
  if (!listed) return `hidden: ${quoted(reason, 1_000)}`;
  return call === 'by-arguments' ? 'visible; its arguments may ask for more scopes' : 'visible';
}

function sizeInWords({ tools, tokens }: CatalogueReport): string {
  const visible = tools.filter(({ listed }) => listed).length;
  const ofAll = `${visible} of ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  return (
    `${ofAll}, about ${tokens} tokens: an estimate, the characters of name, description and input schema divided by 4. ` +
    'Models and clients differ.'
  );
}

function faultsInWords({ tools, discarded, sound }: CatalogueReport, paint: Paint, columns: number): string[] {
  if (sound) return ['', paint('good', 'The checks have nothing to say.')];
  const faults = [
    ...discarded.map(({ origin, name, reason }) => ({
      check: 'discarded',
      message: `${origin}${name === undefined ? '' : ` (tool "${name}")`}: ${reason}`,
    })),
    ...sorted(tools).flatMap((tool) => tool.faults),
  ];
  const width = Math.max(...faults.map(({ check }) => check.length)) + 2;
  const lines = faults.flatMap(({ check, message }) => {
    const [first = '', ...rest] = wrapped(quoted(message, 1_000), Math.max(40, columns - width));
    return [
      paint('bad', check) + ' '.repeat(width - check.length) + first,
      ...rest.map((line) => ' '.repeat(width) + line),
    ];
  });
  return ['', ...lines];
}
