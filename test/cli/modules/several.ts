import { Module } from '@nestjs/common';

@Module({ providers: [] })
export class OrdersModule {}

@Module({ providers: [] })
export class BillingModule {}
