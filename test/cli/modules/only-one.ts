import { Module } from '@nestjs/common';

@Module({ providers: [] })
export class ShopModule {}

export class ShopService {}

export { ShopModule as TheSame };

export default async function bootstrap(): Promise<void> {}
