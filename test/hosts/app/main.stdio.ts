import { McpStdio } from 'nestjs-mcp-gate';

void McpStdio.run(() => import('./app.module.js'));
