/** An application over standard input and output, in whose way everything stands. */
import { stdout } from 'node:process';
import { McpStdio } from 'nestjs-mcp-gate';

void (console as unknown as { _stdout: unknown })._stdout; // from now on the console keeps its stream
(globalThis as { keptStdout?: unknown }).keptStdout = stdout;
await McpStdio.run(() => import('./noisy.module.js'));
