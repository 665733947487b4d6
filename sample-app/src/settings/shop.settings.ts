/**
 * What can be said to the shop from outside: three environment variables, read and checked once.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartFault } from './start-fault.js';

/** Also the token under which Nest injects the settings. */
export class ShopSettings {
  constructor(
    /** The database's file. `SHOP_DB`. @default a file of this user's own under the temporary folder */
    readonly file: string,
    /** The port of 127.0.0.1; 0 takes a free one. `PORT`. @default 3000 */
    readonly port: number,
    /** The pause before each batch of a reindexing, in milliseconds. `SHOP_BATCH_MS`. @default 100 */
    readonly batchMs: number,
  ) {}

  /** @throws StartFault when a variable holds something else than it should. */
  static from(env: NodeJS.ProcessEnv): ShopSettings {
    return new ShopSettings(
      env['SHOP_DB'] || join(tmpdir(), `nestjs-mcp-gate-shop-${process.getuid?.() ?? 'user'}`, 'shop.db'),
      wholeNumber(env, 'PORT', 3000, 65_535),
      wholeNumber(env, 'SHOP_BATCH_MS', 100, 10_000),
    );
  }
}

function wholeNumber(env: NodeJS.ProcessEnv, name: string, byDefault: number, max: number): number {
  const text = env[name]?.trim();
  if (!text) return byDefault;
  if (/^\d{1,5}$/.test(text) && Number(text) <= max) return Number(text);
  throw new StartFault(`${name} is "${text}": give a whole number from 0 to ${max}, or leave it out for ${byDefault}.`);
}
