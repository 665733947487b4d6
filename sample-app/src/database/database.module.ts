import { Module } from '@nestjs/common';
import { SettingsModule } from '../settings/settings.module.js';
import { ShopSettings } from '../settings/shop.settings.js';
import { ShopDatabase } from './shop.database.js';

@Module({
  imports: [SettingsModule],
  providers: [
    {
      provide: ShopDatabase,
      inject: [ShopSettings],
      useFactory: (settings: ShopSettings) => ShopDatabase.open(settings.file),
    },
  ],
  exports: [ShopDatabase],
})
export class DatabaseModule {}
