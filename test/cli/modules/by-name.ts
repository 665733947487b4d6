import { Module } from '@nestjs/common';

@Module({ imports: [] })
export class FeatureModule {}

@Module({ imports: [FeatureModule] })
export class AppModule {}

export const VERSION = 1;
