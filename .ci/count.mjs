/** Adds up what the suites counted, and prints the line that a machine reads. */
import { readFileSync } from 'node:fs';

const [jestFile, ...suiteFiles] = process.argv.slice(2);
const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(jestFile, 'utf8'));
const counts = [{ passed: numPassedTests, failed: numFailedTests }];
for (const file of suiteFiles) {
  const line = /^\w+: (\d+) passed, (\d+) failed$/m.exec(readFileSync(file, 'utf8'));
  if (line === null) throw new Error(`the suite that wrote ${file} printed no count`);
  counts.push({ passed: Number(line[1]), failed: Number(line[2]) });
}

const sum = (of) => counts.reduce((total, count) => total + count[of], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 && counts.every(({ passed }) => passed > 0) ? 0 : 1;
