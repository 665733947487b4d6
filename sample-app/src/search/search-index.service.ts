/**
 * The full-text index, and how it is rebuilt while the shop is open: batch by batch into a shadow table, which takes
 * the place of the old one in a single transaction. Stopped midway, the old index is as it was and nothing is locked.
 */
import { randomUUID } from 'node:crypto';
import { ConflictException, Injectable } from '@nestjs/common';
import { concat, concatMap, defer, EMPTY, finalize, map, type Observable, range, timer } from 'rxjs';
import { ShopDatabase } from '../database/shop.database.js';
import { ShopSettings } from '../settings/shop.settings.js';

/** How far a rebuild has come. */
export interface IndexBatch {
  readonly batch: number;
  readonly total: number;
  /** Products in the new index so far. */
  readonly indexed: number;
}

const BATCHES = 25;

@Injectable()
export class SearchIndex {
  constructor(
    private readonly database: ShopDatabase,
    private readonly settings: ShopSettings,
  ) {}

  exists(): boolean {
    return this.database.row(`SELECT 1 FROM sqlite_master WHERE name = 'product_text'`) !== undefined;
  }

  /**
   * Rebuilds on subscription, and abandons the rebuild when unsubscribed.
   * Fails with a ConflictException while another rebuild runs, in this process or in another one.
   */
  rebuild(): Observable<IndexBatch> {
    return defer(() => {
      const owner = randomUUID();
      const skus = this.begin(owner);
      const batches = range(1, BATCHES).pipe(
        concatMap((batch) => timer(this.settings.batchMs).pipe(map(() => this.add(owner, batch, skus)))),
      );
      const swap = defer(() => (this.swap(owner), EMPTY));
      return concat(batches, swap).pipe(finalize(() => this.release(owner)));
    });
  }

  private begin(owner: string): readonly string[] {
    return this.database.transaction(() => {
      const claimed = this.database.run(
        `INSERT INTO search_build VALUES (1, ?, ?)
         ON CONFLICT DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at WHERE expires_at < ?`,
        owner,
        this.claimEnd(),
        Date.now(),
      );
      if (claimed === 0) {
        throw new ConflictException(
          'The search index is being rebuilt already. Wait until that is done, then ask again.',
        );
      }
      this.database.run('DROP TABLE IF EXISTS product_text_next');
      this.database.run(
        `CREATE VIRTUAL TABLE product_text_next
         USING fts5(sku UNINDEXED, name, category, tags, tokenize = 'unicode61 remove_diacritics 2')`,
      );
      return this.database.rows<{ sku: string }>('SELECT sku FROM products ORDER BY sku').map(({ sku }) => sku);
    });
  }

  private add(owner: string, batch: number, skus: readonly string[]): IndexBatch {
    const upTo = (batch: number): number => Math.floor((skus.length * batch) / BATCHES);
    this.database.transaction(() => {
      this.renew(owner);
      this.database.run(
        `INSERT INTO product_text_next (sku, name, category, tags)
         SELECT p.sku, p.name, p.category, (SELECT group_concat(t.tag, ' ') FROM product_tags t WHERE t.sku = p.sku)
         FROM products p WHERE p.sku IN (SELECT value FROM json_each(?))`,
        JSON.stringify(skus.slice(upTo(batch - 1), upTo(batch))),
      );
    });
    return { batch, total: BATCHES, indexed: upTo(batch) };
  }

  private swap(owner: string): void {
    this.database.transaction(() => {
      this.renew(owner);
      this.database.run('DROP TABLE IF EXISTS product_text');
      this.database.run('ALTER TABLE product_text_next RENAME TO product_text');
    });
  }

  /** A claim ends by itself, so that a process that was killed does not close the index for ever. */
  private claimEnd(): number {
    return Date.now() + 5_000 + 5 * this.settings.batchMs;
  }

  private renew(owner: string): void {
    if (this.database.run('UPDATE search_build SET expires_at = ? WHERE owner = ?', this.claimEnd(), owner) === 1)
      return;
    throw new ConflictException(
      'Another process took the rebuild of the search index over, after this one had stalled.',
    );
  }

  private release(owner: string): void {
    if (!this.database.isOpen) return;
    this.database.transaction(() => {
      if (this.database.run('DELETE FROM search_build WHERE owner = ?', owner) === 0) return;
      this.database.run('DROP TABLE IF EXISTS product_text_next');
    });
  }
}
