import { Module } from '@nestjs/common';
import { ShopSettings } from './shop.settings.js';

@Module({
  providers: [{ provide: ShopSettings, useFactory: () => ShopSettings.from(process.env) }],
  exports: [ShopSettings],
})
export class SettingsModule {}
