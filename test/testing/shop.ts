/** A shop whose tools need different things of their callers, started in three ways: none of them opens a port. */
import {
  Injectable,
  Scope,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type INestApplicationContext,
  type ModuleMetadata,
} from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { Matches } from 'class-validator';
import {
  ActsForUser,
  Annotations,
  Caller,
  McpModule,
  McpRequestContext,
  McpTool,
  McpToolFailure,
  RequireAuth,
  RequireScopes,
  Run,
  ScopesFor,
  type McpCaller,
  type McpGateSettings,
  type McpRun,
  type McpToolProvider,
} from 'nestjs-mcp-gate';
import { LogBook } from '../nest/serve.js';

export const READS = { readOnlyHint: true, openWorldHint: false };
export const WRITES = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
const FREE = { type: 'object', additionalProperties: true };

/** What handlers did, so that a test can say that none ran. */
export const worked: string[] = [];

class StockQuery {
  @Matches(/^A-\d{3}$/) sku!: string;
}

@Injectable({ scope: Scope.REQUEST })
class Visit {
  count = 0;
}

@Injectable()
class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    http.getResponse<{ header(name: string, value: string): unknown }>().header('x-remaining', '3');
    return http.getRequest<{ headers: Record<string, unknown> }>().headers['x-key'] === 'brass';
  }
}

@Injectable()
export class ShopTools {
  @McpTool({ name: 'stock', description: 'Stock of a product.' })
  @Annotations(READS)
  stock(query: StockQuery) {
    worked.push('stock');
    return { sku: query.sku, quantity: 12, typed: query instanceof StockQuery };
  }

  @McpTool({ name: 'whoami', description: 'Says who calls.' })
  @Annotations(READS)
  @RequireAuth()
  whoami(@Caller() caller: McpCaller) {
    worked.push('whoami');
    return caller;
  }

  @McpTool({ name: 'refund', description: 'Refunds an order.' })
  @Annotations(WRITES)
  @RequireScopes('shop:billing')
  refund() {
    worked.push('refund');
    return 'refunded';
  }

  @McpTool({ name: 'report', description: 'Makes a report.', inputSchema: FREE })
  @Annotations(WRITES)
  @RequireScopes('shop:read')
  @ScopesFor((args) => (args['publish'] === true ? ['shop:write'] : []))
  report(args: object) {
    worked.push('report');
    return Object.entries(args).map(([key, value]) => `${key}: ${typeof value}`);
  }

  @McpTool({ name: 'my_orders', description: 'Orders of the customer.' })
  @Annotations(READS)
  @RequireScopes('shop:read')
  @ActsForUser()
  orders(@Caller() caller: McpCaller) {
    worked.push('my_orders');
    return { account: McpRequestContext.account()?.id, roles: caller.roles };
  }

  @McpTool({ name: 'empty', description: 'There is nothing.' })
  @Annotations(READS)
  empty() {
    throw new McpToolFailure('The shop is empty.');
  }

  @McpTool({ name: 'broken', description: 'Does not work.' })
  @Annotations(READS)
  broken() {
    throw new Error('the database is on fire');
  }
}

@Injectable()
@UseGuards(KeyGuard)
export class VaultTools {
  constructor(private readonly visit: Visit) {}

  @McpTool({ name: 'vault', description: 'Counts the visits of one exchange.' })
  @Annotations(READS)
  vault() {
    worked.push('vault');
    return ++this.visit.count;
  }
}

/** A tool that waits: tests let it go on, or abort it. */
@Injectable()
export class SlowTools {
  aborted = false;
  begun: Promise<void>;
  private begin: () => void = () => undefined;
  finish: () => void = () => undefined;

  constructor() {
    this.begun = new Promise((resolve) => (this.begin = resolve));
  }

  @McpTool({ name: 'slow', description: 'Takes its time.' })
  @Annotations(READS)
  async slow(@Run() run: McpRun) {
    for (const done of [1, 2, 3]) run.progress(done, 3, `step ${done}`);
    run.signal.addEventListener('abort', () => (this.aborted = true));
    this.begin();
    await new Promise<void>((resolve) => (this.finish = resolve));
    return 'done';
  }
}

@Injectable()
export class FreshTools implements McpToolProvider {
  getMcpTools() {
    return [
      {
        name: 'fresh',
        description: 'Fresh.',
        inputSchema: FREE,
        annotations: READS,
        handler: () => worked.push('fresh'),
      },
    ];
  }
}

const PROVIDERS = [ShopTools, VaultTools, SlowTools, FreshTools, Visit];

/** A protected gate that serves strangers too. */
export const MIXED: McpGateSettings = {
  name: 'shop',
  instructions: 'Stock and orders.',
  authorization: {
    issuers: ['https://issuer.example'],
    publicUrl: 'https://shop.example/mcp',
    anonymous: true,
    scopeHierarchy: { 'shop:write': ['shop:read'] },
    roles: { 'shop:billing': ['accountant'] },
  },
  accounts: ({ subject }) => (subject === 'ann' ? { id: 'account-ann', roles: ['customer'], active: true } : undefined),
};

export function shop(...gates: McpGateSettings[]): ModuleMetadata {
  return { imports: gates.map((settings) => McpModule.forRoot(settings)), providers: PROVIDERS };
}

export const HOSTS = ['Express', 'Fastify', 'a testing module'] as const;
export type Host = (typeof HOSTS)[number];

/** An application that was not started yet, and what it says. */
export async function compiled(
  metadata: ModuleMetadata,
  host: Host = 'a testing module',
): Promise<{ app: INestApplicationContext; log: LogBook }> {
  const log = new LogBook();
  const testing = await Test.createTestingModule(metadata).setLogger(log).compile();
  const adapter = { Express: ExpressAdapter, Fastify: FastifyAdapter, 'a testing module': undefined }[host];
  const app = adapter === undefined ? testing : testing.createNestApplication(new adapter(), { logger: log });
  return { app, log };
}

/** Starts, tests, and closes whatever happens. */
export async function started(
  metadata: ModuleMetadata,
  test: (app: INestApplicationContext, log: LogBook) => Promise<void>,
  host?: Host,
): Promise<void> {
  const { app, log } = await compiled(metadata, host);
  await app.init();
  try {
    await test(app, log);
  } finally {
    await app.close();
  }
}
