/**
 * The gates for callers with a token, beside the open one at /mcp: /mcp/account needs a token for everything, /mcp/mixed
 * serves the catalogue without one.
 *
 * Whose tokens are taken is said by SHOP_ISSUER. Without it both gates are disabled and answer 404, so that `npm start`
 * needs no authorization server; `npm run start:oauth` starts one and sets it. They are local gates, so their URI (the
 * audience that a token must name) is read from the request; a gate that others reach states its `publicUrl` instead.
 */
import type { McpGateAsyncSettings, McpGateSettings } from 'nestjs-mcp-gate';
import { InvoiceTools } from './billing/invoice.tools.js';
import { RefundTools } from './billing/refund.tools.js';
import { CatalogueResources } from './catalog/catalogue.resources.js';
import { StockTools } from './catalog/stock.tools.js';
import { CustomerAccounts } from './customers/customer-accounts.service.js';
import { CustomersModule } from './customers/customers.module.js';
import { MyOrdersTools } from './orders/my-orders.tools.js';
import { ReportTools } from './reports/report.tools.js';
import { SearchTools } from './search/search.tools.js';
import { SettingsModule } from './settings/settings.module.js';
import { ShopSettings } from './settings/shop.settings.js';

/** The names of the protected gates. */
export const ACCOUNT_GATE = 'shop-account';
export const MIXED_GATE = 'shop-mixed';

/** Tools for one's own orders, the billing desk and reports; nothing without a token. */
export const accountGate: McpGateAsyncSettings = {
  imports: [SettingsModule, CustomersModule],
  inject: [ShopSettings, CustomerAccounts],
  useFactory: ({ issuer }: ShopSettings, accounts: CustomerAccounts): McpGateSettings => ({
    name: ACCOUNT_GATE,
    title: 'The sample shop, for its customers',
    version: '1.0.0',
    path: '/mcp/account',
    tools: [StockTools, CatalogueResources, SearchTools, MyOrdersTools, InvoiceTools, RefundTools, ReportTools],
    ...(issuer === undefined
      ? { enabled: false }
      : { authorization: tokensOf(issuer), accounts: ({ subject }) => accounts.find(subject ?? '') }),
  }),
};

/** The catalogue for everybody, reports for callers with a token. */
export const mixedGate: McpGateAsyncSettings = {
  imports: [SettingsModule],
  inject: [ShopSettings],
  useFactory: ({ issuer }: ShopSettings): McpGateSettings => ({
    name: MIXED_GATE,
    title: 'The sample shop, its catalogue and reports',
    version: '1.0.0',
    path: '/mcp/mixed',
    tools: [StockTools, CatalogueResources, SearchTools, ReportTools],
    ...(issuer === undefined ? { enabled: false } : { authorization: { ...tokensOf(issuer), anonymous: true } }),
  }),
};

function tokensOf(issuer: string): NonNullable<McpGateSettings['authorization']> {
  return { issuers: [issuer], scopeHierarchy: { 'shop:write': ['shop:read'] } };
}
