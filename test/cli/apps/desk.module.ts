/** An application with one gate, for the commands that start one or call one; and what it did. */
import { Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { Annotations, Args, Caller, McpModule, McpTool, RequireScopes, type McpCaller } from 'nestjs-mcp-gate';
import { heldTool } from '../../support/gates.js';

const READS = { readOnlyHint: true, openWorldHint: false };
const FREE = { type: 'object', additionalProperties: true };
const REGION = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };

/** Calls that wait for the test. */
export const slow = heldTool('slow');
/** Tools that were called, and how often an application of this module was closed. */
export const seen = { calls: [] as string[], closed: 0 };

@Injectable()
export class DeskTools implements OnModuleDestroy {
  onModuleDestroy(): void {
    seen.closed += 1;
  }

  @McpTool({ name: 'echo', description: 'Says what it is given.', inputSchema: FREE })
  @Annotations(READS)
  echo(@Args() args: object) {
    seen.calls.push('echo');
    return JSON.stringify(args);
  }

  @McpTool({ name: 'whoami', description: 'Says who calls.' })
  @Annotations(READS)
  whoami(@Caller() { subject = 'nobody', scopes }: McpCaller) {
    return `${subject}: ${scopes.join(' ')}`;
  }

  @McpTool({ name: 'ledger', description: 'Reads the ledger.' })
  @Annotations(READS)
  @RequireScopes('desk:ledger')
  ledger() {
    return 'all of it';
  }

  @McpTool({ name: 'refuse', description: 'Fails as a business does.' })
  @Annotations(READS)
  refuse() {
    return { isError: true, content: [{ type: 'text', text: 'Nothing is in stock.' }] };
  }

  @McpTool({ name: 'break', description: 'Fails as a server does.' })
  @Annotations(READS)
  break() {
    throw new Error('the database is on fire');
  }

  @McpTool({ name: 'draw', description: 'Gives a picture and a link.' })
  @Annotations(READS)
  draw() {
    return {
      content: [
        { type: 'text', text: 'A door.\n' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource_link', uri: 'desk://door', name: 'door' },
      ],
    };
  }

  @McpTool({ name: 'escape', description: 'Writes what a terminal obeys.' })
  @Annotations(READS)
  escape() {
    return 'red: \u001b[31mred\u0007\r\n\tnext \u202eline';
  }

  @McpTool({ name: 'nothing', description: 'Gives nothing.' })
  @Annotations(READS)
  nothing() {}

  @McpTool({ name: 'local', description: 'Has an argument that travels in a header.', inputSchema: REGION })
  @Annotations(READS)
  local(@Args() args: object) {
    return JSON.stringify(args);
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      name: 'desk',
      tools: [DeskTools, { ...slow.tool, description: 'Takes its time.', annotations: READS }],
    }),
  ],
  providers: [DeskTools],
})
export default class DeskModule {}
