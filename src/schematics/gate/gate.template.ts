/**
 * `shop.gate.ts`: the module that opens the gate, with its settings.
 */
import type { GateWords } from './exposure.js';

export function gateFile(words: GateWords): string {
  return words.expose === 'local' ? localGate(words) : remoteGate(words);
}

const INSTRUCTIONS = 'What these tools are for, and in which order to use them.';

function localGate({ names, js }: GateWords): string {
  return `import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp-gate';
import { ${names.class}Tools } from './${names.file}.tools${js}';

/**
 * POST /mcp/${names.file}, for callers on this machine.
 * It serves the tools that the providers of this module declare.
 */
@Module({
  imports: [
    McpModule.forRoot({
      name: '${names.file}',
      path: '/mcp/${names.file}',
      instructions: '${INSTRUCTIONS}',
      tools: [${names.class}GateModule],
    }),
  ],
  providers: [${names.class}Tools],
})
export class ${names.class}GateModule {}
`;
}

function remoteGate({ names, expose, js }: GateWords): string {
  const acts = expose === 'oauth';
  const who = acts ? 'callers with a token' : 'everybody; some tools need a token';
  const importAccounts = `import { ${names.class}Accounts, ${names.class}AccountsModule } from './${names.file}.accounts${js}';\n`;
  const inject = `      imports: [${names.class}AccountsModule],
      inject: [${names.class}Accounts],
`;
  return `import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp-gate';
${acts ? importAccounts : ''}import { ${names.class}Tools } from './${names.file}.tools${js}';

/**
 * POST /mcp/${names.file}, for ${who}.
 * It serves the tools that the providers of this module declare.
 */
@Module({
  imports: [
    McpModule.forRootAsync({
${acts ? inject : ''}      useFactory: (${acts ? `accounts: ${names.class}Accounts` : ''}) => ({
        name: '${names.file}',
        path: '/mcp/${names.file}',
        instructions: '${INSTRUCTIONS}',
        tools: [${names.class}GateModule],
        allowRemote: true,
        authorization: {
          // Whose tokens are taken: "iss" of a token, to the byte.
          issuers: [fromEnvironment('${names.variable}_ISSUER')],
          // The gate as clients know it, behind a proxy too: "aud" of a token.
          publicUrl: fromEnvironment('${names.variable}_PUBLIC_URL'),
${acts ? '' : '          anonymous: true, // public tools without a token\n'}        },
${acts ? '        accounts: (caller) => accounts.find(caller),\n' : ''}      }),
    }),
  ],
  providers: [${names.class}Tools],
})
export class ${names.class}GateModule {}

/** No default would be right: without these the application does not start. */
function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(
    \`\${name} is not set. Set ${names.variable}_ISSUER to the address of your authorization server, and \` +
      '${names.variable}_PUBLIC_URL to that of this gate, such as http://127.0.0.1:3000/mcp/${names.file}.',
  );
}
`;
}
