/**
 * The goals as README.md shows them, from the last `npm run bench`: prints them, and with `--write` puts them there, with the
 * chart in docs/.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const README = fileURLToPath(new URL('../README.md', import.meta.url));
const CHART = fileURLToPath(new URL('../docs/performance.svg', import.meta.url));
const results = new URL('results/', import.meta.url);
const [BEGIN, END] = ['<!-- bench: goals -->', '<!-- bench: end -->'];

const { machine, plan, goals } = JSON.parse(readFileSync(new URL('goals.json', results), 'utf8'));
const rows = goals.map(({ goal, asked, measured, met }) => [goal, asked, met === false ? `**${measured}**` : measured]);
const block = [
  BEGIN,
  [['', 'goal', 'measured'], ['---', '--:', '--:'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
  `One run: ${machine}; ${plan.rounds} rounds of ${plan.seconds} s each; the worst case of each line, **bold** where it misses its goal.`,
  END,
].join('\n\n');

const formatted = async (text) => format(text, { ...(await resolveConfig(README)), parser: 'markdown' });
if (process.argv.includes('--write')) {
  const [before, after] = readFileSync(README, 'utf8').split(new RegExp(`${BEGIN}[^]*${END}`));
  writeFileSync(README, await formatted(`${before}${block}${after}`));
  copyFileSync(new URL('goals.svg', results), CHART);
}
process.stdout.write(await formatted(block));
