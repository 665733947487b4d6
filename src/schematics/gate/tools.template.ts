/**
 * `shop.tools.ts`: a short read, a long call with progress and cancellation, and what acts for a user.
 */
import type { GateWords } from './exposure.js';

export function toolsFile({ names, expose }: GateWords): string {
  const decorators = {
    local: ['Annotations', 'McpTool', 'Run'],
    oauth: ['ActsForUser', 'Annotations', 'McpRequestContext', 'McpTool', 'RequireAuth', 'RequireScopes', 'Run'],
    mixed: ['Annotations', 'McpTool', 'RequireScopes', 'Run'],
  }[expose];
  const findIsReserved = expose === 'oauth' ? '  @RequireAuth()\n' : '';
  const rebuildIsReserved = expose === 'local' ? '' : `  @RequireScopes('${names.file}:write')\n`;
  return `import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { IsString, MinLength } from 'class-validator';
import { ${[...decorators, 'type McpRun'].join(', ')} } from 'nestjs-mcp-gate';

export class ${names.class}FindQuery {
  @IsString()
  @MinLength(2)
  text!: string;
}

/** Examples. Your own inject the services that they call. */
@Injectable()
export class ${names.class}Tools {
  private readonly fruits = ['apple', 'cherry', 'pear', 'plum'];

  @McpTool({
    name: '${names.tool}_find',
    description: 'Finds fruits whose name contains a text. Use it before anything that needs the exact name.',
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
${findIsReserved}  find({ text }: ${names.class}FindQuery) {
    return this.fruits.filter((fruit) => fruit.includes(text));
  }

  @McpTool({
    name: '${names.tool}_rebuild',
    description: 'Rebuilds the index of fruits, batch by batch. Takes a moment, and may be cancelled.',
  })
  @Annotations({
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  })
${rebuildIsReserved}  async rebuild(@Run() run: McpRun) {
    const batches = 5;
    for (let batch = 1; batch <= batches; batch += 1) {
      // The work of a batch: whatever it calls is given the signal, too.
      await pause(100, undefined, { signal: run.signal });
      run.progress(batch, batches);
    }
    return 'The index is rebuilt.';
  }
${expose === 'oauth' ? me(names.file, names.tool) : ''}}
`;
}

function me(scope: string, tool: string): string {
  return `
  @McpTool({
    name: '${tool}_me',
    description: 'The account of the user in whose name you call.',
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  @RequireScopes('${scope}:read')
  @ActsForUser()
  me() {
    const account = McpRequestContext.account(); // known to every service below this tool as well
    return { id: account?.id, roles: account?.roles };
  }
`;
}
