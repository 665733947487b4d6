/** A user's test for Node's own runner: `node --test`. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizationMatrix, expectAnnotated, mcpTestClient } from 'nestjs-mcp-gate/testing';
import { AppModule } from './shop.module.js';

void test('the tools of the shop, without a testing library', async () => {
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  await expectAnnotated(app);
  const { text } = await mcpTestClient(app).call('shop_stock', { sku: 'A-001' });
  assert.equal(text, '12 pieces of A-001');
  const { tools } = await authorizationMatrix(app, { guest: {} });
  assert.equal(tools['shop_reindex']?.guest.call, 'withheld');
  await app.close();
});
