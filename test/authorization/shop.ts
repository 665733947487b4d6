/** The shop that these tests protect: one tool for each way to reserve one. */
import type { CanActivate } from '@nestjs/common';
import { UseGuards } from '@nestjs/common';
import {
  ActsForUser,
  Annotations,
  Caller,
  McpModule,
  McpTool,
  RequireAuth,
  RequireScopes,
  ScopesFor,
  type McpCaller,
  type McpGateSettings,
} from 'nestjs-mcp-gate';
import type { McpGateRouteOptions } from 'nestjs-mcp-gate';
import { KEYS } from './tokens.js';

export const READS = { readOnlyHint: true, openWorldHint: false };
const REPORT = { type: 'object', properties: { publish: { type: 'boolean' } } };

const closed: CanActivate = { canActivate: () => false };
const broken: CanActivate = {
  canActivate() {
    throw new Error('the guard is broken');
  },
};

export class ShopTools {
  @McpTool({ name: 'shop_stock', description: 'For everybody.' })
  @Annotations(READS)
  stock(@Caller() caller: McpCaller) {
    return { subject: caller.subject ?? 'nobody', authenticated: caller.authenticated, scopes: caller.scopes };
  }

  @McpTool({ name: 'shop_known', description: 'For whoever is known.' })
  @Annotations(READS)
  @RequireAuth()
  known(@Caller() caller: McpCaller) {
    return `hello ${caller.subject}`;
  }

  @McpTool({ name: 'shop_refund', description: 'For the billing desk.' })
  @Annotations(READS)
  @RequireScopes('shop:read', 'shop:billing')
  refund() {
    return 'refunded';
  }

  @McpTool({ name: 'shop_report', description: 'Publishing needs more.', inputSchema: REPORT })
  @Annotations(READS)
  @ScopesFor<{ publish?: boolean }>(({ publish }) => (publish === true ? ['shop:read', 'shop:write'] : []))
  report({ publish = false }: { publish?: boolean }) {
    return publish ? 'published' : 'drafted';
  }

  @McpTool({ name: 'shop_closed', description: 'For nobody.' })
  @Annotations(READS)
  @UseGuards(closed)
  closed() {}

  @McpTool({ name: 'shop_broken', description: 'For nobody, by an accident.' })
  @Annotations(READS)
  @UseGuards(broken)
  broken() {}

  @McpTool({ name: 'shop_orders', description: 'In the name of a customer.' })
  @Annotations(READS)
  @ActsForUser()
  @RequireScopes('shop:orders')
  orders() {
    return 'orders';
  }
}

/** What its tools require, sorted. */
export const SHOP_SCOPES = ['shop:billing', 'shop:orders', 'shop:read'];

/** A gate that takes the application's own tokens. */
export function protectedGate(
  settings: Partial<McpGateSettings> = {},
  route?: McpGateRouteOptions,
): ReturnType<typeof McpModule.forRoot> {
  const { authorization, ...rest } = settings;
  return McpModule.forRoot({ name: 'shop', authorization: { ownKeys: KEYS, ...authorization }, ...rest }, route);
}
