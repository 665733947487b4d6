/** Loads each of the files that it is called with as the command line would, and writes what came of it as JSON. */
import { loadModule } from '../../../src/cli/load-module.js';

const outcomes: Record<string, string> = {};
for (const file of process.argv.slice(2)) {
  outcomes[file] = await loadModule(file).then(
    ({ name }) => name,
    (error: Error) => `Error: ${error.message}`,
  );
}
process.stdout.write(JSON.stringify(outcomes));
