/**
 * What one client may hear of at a gate: on the way back of its request, and as its caller sees it.
 */
import type { McpEvent } from '../events/event.js';
import type { JsonRpcNotification, RequestId } from '../protocol/messages.js';
import type { McpNews, McpNewsBound, McpOffering } from '../protocol/news.js';
import type { McpOpenRun } from '../runs/open-run.js';
import { collectMcpTools } from '../tools/catalogue.js';
import type { McpMessageRecipient, McpMessageSender } from './message-context.js';
import type { McpGateNews } from './news.js';
import { promptsFor, resourcesFor } from './offering.js';

export class ClientNews implements McpNews {
  constructor(
    private readonly gate: McpMessageRecipient,
    private readonly news: McpGateNews,
    private readonly sender: McpMessageSender,
    private readonly openRun: (requestId: RequestId) => McpOpenRun,
  ) {}

  get takesMore(): boolean {
    return this.sender.way.takesMore;
  }

  get bounds(): McpNews['bounds'] {
    return this.news.bounds;
  }

  open(requestId: RequestId): McpOpenRun | McpNewsBound {
    return this.news.boundOf(this.sender.principal()) ?? this.openRun(requestId);
  }

  hear(listener: (event: McpEvent) => void): () => void {
    return this.news.hear(listener);
  }

  now(): McpOffering {
    const { source, offers, onWithheld } = this.gate;
    const { caller } = this.sender;
    const options = { caller, request: this.sender.requestAnew(), onWithheld };
    return {
      catalogue: collectMcpTools(source, options),
      resources: () => resourcesFor(offers, options),
      prompts: () => promptsFor(offers, options),
    };
  }

  after(ms: number, work: () => void): () => void {
    return this.gate.clock.after(ms, work);
  }

  tell(message: JsonRpcNotification, about?: RequestId): void {
    this.sender.way.notify(message, about);
  }
}
