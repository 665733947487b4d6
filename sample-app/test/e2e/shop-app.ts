/** The whole application on a free port, with a new shop behind it. */
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import type { LoggerService } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { ShopDatabase } from '../../src/database/shop.database.js';
import { ShopSettings } from '../../src/settings/shop.settings.js';
import { newShopFile } from '../shop-on-file.js';

export interface ShopApp {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly database: ShopDatabase;
  close(): Promise<void>;
}

export interface ShopAppOptions {
  readonly batchMs?: number;
  /** Whose tokens open the protected gates; without it they are shut. */
  readonly issuer?: string;
  /** @default Express */
  readonly adapter?: AbstractHttpAdapter;
  /** @default warnings and errors to the console */
  readonly logger?: LoggerService;
}

export async function startShopApp({ batchMs = 0, issuer, adapter, logger }: ShopAppOptions = {}): Promise<ShopApp> {
  const { file, clear } = newShopFile();
  const testing = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(ShopSettings)
    .useValue(new ShopSettings(file, 0, batchMs, issuer))
    .compile();
  const app = testing.createNestApplication(adapter ?? new ExpressAdapter(), {
    logger: logger ?? ['warn', 'error', 'fatal'],
  });
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    database: app.get(ShopDatabase, { strict: false }),
    close: async () => {
      await app.close();
      clear();
    },
  };
}
