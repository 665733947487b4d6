/**
 * The sample shop with its protected gates open, and the authorization server beside it: real HTTP, nothing in between.
 */
import { openAuthorizationServer } from '../../sample-app/src/oauth/authorization-server.js';
import { startShopApp, type ShopApp } from '../../sample-app/test/e2e/shop-app.js';

export interface OAuthShop {
  readonly shop: ShopApp;
  readonly issuer: string;
  readonly account: URL;
  readonly mixed: URL;
  /** Everything that the shop wrote to its log. */
  readonly log: readonly string[];
  close(): Promise<void>;
}

export async function openOAuthShop(): Promise<OAuthShop> {
  const gates: string[] = [];
  const server = await openAuthorizationServer({
    port: 0,
    isGate: (resource) => gates.includes(resource),
    answersHints: true,
  });
  const log: string[] = [];
  const write = (...message: unknown[]): void => void log.push(message.join(' '));
  const logger = { log: write, error: write, warn: write, debug: write, verbose: write, fatal: write };
  const shop = await startShopApp({ issuer: server.issuer, logger });
  const [account, mixed] = [new URL('/mcp/account', shop.origin), new URL('/mcp/mixed', shop.origin)];
  gates.push(account.href, mixed.href);
  return {
    shop,
    issuer: server.issuer,
    account,
    mixed,
    log,
    async close() {
      await shop.close();
      await server.close();
    },
  };
}
