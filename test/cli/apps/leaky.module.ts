/** An application that writes what it is told to both streams. */
import { Injectable, Module } from '@nestjs/common';
import { Annotations, Args, McpModule, McpTool } from 'nestjs-mcp-gate';
import { mcpTestKeys } from 'nestjs-mcp-gate/testing';

@Injectable()
export class LeakyTools {
  @McpTool({ name: 'leak', description: 'Leaks.', inputSchema: { type: 'object', additionalProperties: true } })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  leak(@Args() { secret }: { secret: string }) {
    process.stdout.write(`out ${secret}\n`);
    process.stderr.write(`err ${secret}\n`);
    return `result ${secret}`;
  }
}

export const LEAKY_URL = 'https://leaky.example/mcp';

@Module({
  imports: [McpModule.forRoot({ name: 'leaky', authorization: { ownKeys: mcpTestKeys(), publicUrl: LEAKY_URL } })],
  providers: [LeakyTools],
})
export default class LeakyModule {}
