/**
 * A client that listens, without a server: where changes are heard of, what it is told, and how its subscription is ended.
 */
import { ANONYMOUS_CALLER, type McpCaller } from '../../src/caller.js';
import { createMcpEventBus } from '../../src/events/bus.js';
import { McpNotifier } from '../../src/events/notifier.js';
import { declareMcpPrompts } from '../../src/prompts/declare.js';
import { collectMcpPrompts } from '../../src/prompts/catalogue.js';
import type { McpPrompt } from '../../src/prompts/prompt.js';
import type { JsonRpcNotification } from '../../src/protocol/messages.js';
import type { McpNews, McpNewsBound } from '../../src/protocol/news.js';
import { collectMcpResources } from '../../src/resources/catalogue.js';
import { declareMcpResources } from '../../src/resources/declare.js';
import type { McpResource, McpResourceEntry, McpResourceTemplate } from '../../src/resources/resource.js';
import { McpOpenRun, type McpAbortCause } from '../../src/runs/open-run.js';
import { collectMcpTools } from '../../src/tools/catalogue.js';
import type { McpTool, McpToolEntry } from '../../src/tools/tool.js';
import { HandClock } from './hand-clock.js';
import { holdNotification } from './official-schemas.js';
import { declare } from './tools.js';

/** What there is, which a test changes as it likes. */
export interface Offered {
  tools: (McpTool | McpToolEntry)[];
  prompts?: McpPrompt[];
  resources?: (McpResource | McpResourceTemplate | McpResourceEntry)[];
}

export class Listener implements McpNews {
  readonly bus = createMcpEventBus();
  readonly notifier = new McpNotifier([this.bus], (error) => {
    throw error;
  });
  readonly told: JsonRpcNotification[] = [];
  readonly clock = new HandClock();
  takesMore = true;
  bounds = { perCaller: 2, total: 3 };
  full: McpNewsBound | undefined;
  /** Listeners of the bus, and runs that were not ended. */
  listening = 0;
  running = 0;
  private run: McpOpenRun | undefined;

  constructor(
    readonly offered: Offered,
    private readonly caller: McpCaller = ANONYMOUS_CALLER,
  ) {}

  open(): McpOpenRun | McpNewsBound {
    if (this.full !== undefined) return this.full;
    this.running += 1;
    return (this.run = new McpOpenRun({ onEnd: () => (this.running -= 1) }));
  }

  hear(listener: Parameters<McpNews['hear']>[0]): () => void {
    this.listening += 1;
    const leave = this.bus.subscribe(listener);
    return () => {
      this.listening -= 1;
      leave();
    };
  }

  now(): ReturnType<McpNews['now']> {
    const { offered, caller } = this;
    const { prompts, resources } = offered;
    const tools = declare(...offered.tools);
    const promptIndex = declareMcpPrompts((prompts ?? []).map((prompt) => ({ prompt, origin: prompt.name })));
    const resourceIndex = declareMcpResources(
      (resources ?? []).map((each) => ('resource' in each ? each : { resource: each, origin: each.name })),
    );
    return {
      catalogue: collectMcpTools({ fixed: () => tools }, { caller }),
      prompts: () => prompts && collectMcpPrompts(promptIndex, { caller }),
      resources: () => resources && collectMcpResources(resourceIndex, { caller }),
    };
  }

  after(ms: number, work: () => void): () => void {
    return this.clock.after(ms, work);
  }

  tell(message: JsonRpcNotification): void {
    holdNotification(message);
    this.told.push(message);
  }

  /** Ends the subscription from outside. */
  end(cause: McpAbortCause): void {
    this.run?.abort(cause);
  }
}

/** Lets everything happen that waits for nothing outside. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
