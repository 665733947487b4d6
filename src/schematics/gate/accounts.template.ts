/**
 * `shop.accounts.ts`: who is behind a token. As it is written nobody is, so that nothing acts for anybody.
 */
import type { GateWords } from './exposure.js';

export function accountsFile({ names }: GateWords): string {
  return `import { Injectable, Module } from '@nestjs/common';
import type { McpAccount, McpCaller } from 'nestjs-mcp-gate';

/** Finds the account behind a token, for each call of a tool with @ActsForUser(). */
@Injectable()
export class ${names.class}Accounts {
  // TODO: ask your application instead. While this is empty, every call is refused.
  private readonly accounts = new Map<string, McpAccount>();

  /** The account as it is now; \`undefined\` refuses the call. */
  find({ subject }: McpCaller): McpAccount | undefined {
    return subject === undefined ? undefined : this.accounts.get(subject);
  }
}

@Module({
  providers: [${names.class}Accounts],
  exports: [${names.class}Accounts],
})
export class ${names.class}AccountsModule {}
`;
}
