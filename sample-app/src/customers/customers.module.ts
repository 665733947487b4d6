import { Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import { CustomerAccounts } from './customer-accounts.service.js';

@Module({ imports: [DatabaseModule], providers: [CustomerAccounts], exports: [CustomerAccounts] })
export class CustomersModule {}
