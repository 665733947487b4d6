/** Adds up what the suites counted, and prints the line that a machine reads. */
import { readFileSync } from 'node:fs';

const [jestFile, hostsFile] = process.argv.slice(2);
const jest = JSON.parse(readFileSync(jestFile, 'utf8'));
const hosts = /hosts: (\d+) passed, (\d+) failed/.exec(readFileSync(hostsFile, 'utf8'));
if (hosts === null) throw new Error('the suite of host applications printed no count');

const passed = jest.numPassedTests + Number(hosts[1]);
const failed = jest.numFailedTests + Number(hosts[2]);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
