/**
 * What can be said to the shop from outside: four environment variables, read and checked once.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wholeNumber } from './whole-number.js';

/** Also the token under which Nest injects the settings. */
export class ShopSettings {
  constructor(
    /** The database's file. `SHOP_DB`. @default a file of this user's own under the temporary folder */
    readonly file: string,
    /** The port of 127.0.0.1; 0 takes a free one. `PORT`. @default 3000 */
    readonly port: number,
    /** The pause before each batch of a reindexing, in milliseconds. `SHOP_BATCH_MS`. @default 100 */
    readonly batchMs: number,
    /** The authorization server whose tokens open the protected gates. `SHOP_ISSUER`. @default none: they stay shut */
    readonly issuer?: string,
  ) {}

  /** @throws StartFault when a variable holds something else than it should. */
  static from(env: NodeJS.ProcessEnv): ShopSettings {
    return new ShopSettings(
      env['SHOP_DB'] || join(tmpdir(), `nestjs-mcp-gate-shop-${process.getuid?.() ?? 'user'}`, 'shop.db'),
      wholeNumber(env, 'PORT', 3000, 65_535),
      wholeNumber(env, 'SHOP_BATCH_MS', 100, 10_000),
      env['SHOP_ISSUER'] || undefined,
    );
  }
}
