/** Tools that ask their client, over standard input and output. */
import { McpStdio } from 'nestjs-mcp-gate';

await McpStdio.run(() => import('../../e2e/asking.module.js'));
