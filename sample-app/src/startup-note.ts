/**
 * What is printed once the shop is open: where the gate is, what it serves, and two calls to paste into a shell.
 */
export interface OpenGate {
  /** `http://127.0.0.1:3000/mcp` */
  readonly address: string;
  /** How many tools an anonymous caller has. */
  readonly served: number;
  /** How many more need authorization. */
  readonly reserved: number;
  /** Addresses of the gates that take tokens. */
  readonly protectedGates: readonly string[];
}

export function startupNote({ address, served, reserved, protectedGates }: OpenGate): string {
  return [
    `The shop's gate is open at ${address}`,
    `It serves ${plural(served, 'tool')}; ${plural(reserved, 'more')} ${reserved === 1 ? 'needs' : 'need'} authorization.`,
    protectedGates.length === 0
      ? 'The gates that take tokens are shut: npm run start:oauth opens them.'
      : `Gates that take tokens are open at ${protectedGates.join(' and ')}`,
    '',
    'Read the stock of a product:',
    '',
    curl(address, 'shop_stock', { sku: 'A-001' }),
    '',
    'Rebuild the search index and watch its progress:',
    '',
    curl(address, 'shop_reindex', {}, 'reindex-1'),
    '',
  ].join('\n');
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 || noun === 'more' ? '' : 's'}`;

const REVISION = '2026-07-28';

/** A call in the revision that needs no handshake: whatever the server must know stands in the one request. */
function curl(address: string, tool: string, args: object, progressToken?: string): string {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: tool,
      arguments: args,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': REVISION,
        'io.modelcontextprotocol/clientCapabilities': {},
        progressToken,
      },
    },
  };
  // -N shows each message as it comes; nothing on the way may take the place of the loopback connection.
  return [
    `curl -sS${progressToken === undefined ? '' : 'N'} --noproxy '*' -w '\\n' ${address} \\`,
    `  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \\`,
    `  -H 'MCP-Protocol-Version: ${REVISION}' -H 'Mcp-Method: tools/call' -H 'Mcp-Name: ${tool}' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
