/** The fixtures of the official suite as a command. */
import { McpStdio } from 'nestjs-mcp-gate';
import { EverythingModule } from '../conformance/app/everything.module.js';

await McpStdio.run(EverythingModule.forRoot());
