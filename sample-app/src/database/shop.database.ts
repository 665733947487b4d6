/**
 * The shop's only door to SQL: one connection, short transactions, rows as plain objects.
 *
 * The driver is synchronous, so a transaction is never interrupted by another request of this process; against other
 * processes on the same file it takes the write lock BEFORE it reads what it decides upon (`BEGIN IMMEDIATE`).
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { OnApplicationShutdown } from '@nestjs/common';
import Database from 'libsql';
import { StartFault } from '../settings/start-fault.js';
import { SCHEMA_VERSIONS } from './shop.schema.js';
import { seedShop } from './shop.seed.js';

export type SqlValue = string | number | null;

/** How long a statement waits for another process's transaction, in milliseconds. */
const PATIENCE_MS = 5_000;

export class ShopDatabase implements OnApplicationShutdown {
  private constructor(
    readonly file: string,
    private readonly connection: Database.Database,
  ) {}

  /**
   * Opens the file, makes it a shop when it is new and a current one when it is old. Any number of processes may do so
   * at once.
   * @throws StartFault when the file cannot be opened or holds something else.
   */
  static async open(file: string): Promise<ShopDatabase> {
    const database = new ShopDatabase(file, connect(file));
    try {
      database.connection.pragma(`busy_timeout = ${PATIENCE_MS}`);
      await enableWriteAheadLog(database.connection);
      database.connection.pragma('foreign_keys = ON');
      database.transaction(() => database.furnish());
      return database;
    } catch (cause) {
      database.close();
      if (cause instanceof StartFault) throw cause;
      throw new StartFault(`${file} is not a database of the shop (${(cause as Error).message}). ${WAY_OUT}`, {
        cause,
      });
    }
  }

  get isOpen(): boolean {
    return this.connection.open;
  }

  rows<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.connection.prepare<[SqlValue[]]>(sql).all(values) as Row[];
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller's SQL says what a row is
  row<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.rows<Row>(sql, ...values)[0];
  }

  /** Gives the number of rows that changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.connection.prepare<[SqlValue[]]>(sql).run(values).changes;
  }

  /** All of `work` or, when it throws, nothing of it. */
  transaction<Result>(work: () => Result): Result {
    return this.connection.transaction(work).immediate();
  }

  close(): void {
    if (this.connection.open) this.connection.close();
  }

  onApplicationShutdown(): void {
    this.close();
  }

  private furnish(): void {
    const version = this.row<{ user_version: number }>('PRAGMA user_version')!.user_version;
    const wanted = SCHEMA_VERSIONS.length;
    if (version === wanted) return;
    if (version > wanted || (version === 0 && this.row('SELECT 1 FROM sqlite_master'))) {
      throw new StartFault(`${this.file} holds other tables than version ${wanted} of the shop. ${WAY_OUT}`);
    }
    for (const addition of SCHEMA_VERSIONS.slice(version)) this.connection.exec(addition);
    if (version === 0) seedShop(this);
    this.connection.exec(`PRAGMA user_version = ${wanted}`);
  }
}

const WAY_OUT = 'Name another file in SHOP_DB, or delete this one to start afresh.';

function connect(file: string): Database.Database {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return new Database(file);
  } catch (cause) {
    throw new StartFault(`The database ${file} cannot be opened. Name a file that can be written in SHOP_DB.`, {
      cause,
    });
  }
}

/** Lets others read while one writes. The switch itself does not wait for its turn, so it is asked for again. */
async function enableWriteAheadLog(connection: Database.Database): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await pause(20)) {
    try {
      connection.pragma('journal_mode = WAL');
      return;
    } catch (fault) {
      if (!String((fault as { code?: unknown }).code).startsWith('SQLITE_BUSY') || Date.now() > deadline) throw fault;
    }
  }
}
