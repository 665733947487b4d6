/**
 * What a legacy client hears over its pipe without a request of its own that it would belong to: after the handshake that
 * lists have changed, and of every resource that it has subscribed to (2025-11-25, tools, prompts, resources). State of one
 * conversation.
 */
import { whenThere } from '../awaitable.js';
import { MCP_LISTS, type McpListKind } from '../events/event.js';
import { McpSubscription } from '../events/subscription.js';
import { MOST_URIS, newsMessage, viewOf, type McpChannel, type McpNews } from '../protocol/news.js';

export class StdioChannel implements McpChannel {
  private readonly subscription: McpSubscription;
  private leave: (() => void) | undefined;
  private over = false;

  /** @param fail hears of what keeps the client from being told */
  constructor(
    private readonly news: McpNews,
    private readonly fail: (error: unknown) => void,
  ) {
    this.subscription = new McpSubscription(viewOf(news), {
      tell: (event) => news.tell(newsMessage(event)),
      fail,
      after: (ms, work) => news.after(ms, work),
    });
  }

  begin(): void {
    if (this.over || this.leave !== undefined) return;
    try {
      this.leave = this.news.hear((event) => this.subscription.hear(event));
      this.subscription.begin();
      for (const kind of MCP_LISTS) this.follow(kind).catch(this.fail);
    } catch (error) {
      this.fail(error);
    }
  }

  watch(uri: string): boolean {
    if (!this.subscription.watches(uri) && this.subscription.watched >= MOST_URIS) return false;
    this.subscription.watch(uri);
    return true;
  }

  unwatch(uri: string): void {
    this.subscription.unwatch(uri);
  }

  /** The conversation is over. */
  end(): void {
    this.over = true;
    this.leave?.();
    this.subscription.end();
  }

  /**
   * If there are any: of others no capability was declared. Each by itself: one that hangs or fails holds up no other. Looks
   * before the next message is read, where nobody must be waited for.
   */
  private async follow(kind: McpListKind): Promise<void> {
    if (kind === 'tools') return this.subscription.follow(kind);
    await whenThere(this.news.now()[kind]?.(), (there) => there && this.subscription.follow(kind));
  }
}
