/** The whole application on a free port, with a new shop behind it. */
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { ShopSettings } from '../../src/settings/shop.settings.js';
import { newShopFile } from '../shop-on-file.js';

export interface ShopApp {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  close(): Promise<void>;
}

export async function startShopApp(batchMs: number): Promise<ShopApp> {
  const { file, clear } = newShopFile();
  const testing = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(ShopSettings)
    .useValue(new ShopSettings(file, 0, batchMs))
    .compile();
  const app = testing.createNestApplication({ logger: ['warn', 'error', 'fatal'] });
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      await app.close();
      clear();
    },
  };
}
