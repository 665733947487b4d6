/** `npm run start:stdio`: the open gate of the shop for a client that starts it, over standard input and output. */
import { McpStdio } from 'nestjs-mcp-gate';

await McpStdio.run(() => import('./app.module.js'), { gate: 'shop' });
