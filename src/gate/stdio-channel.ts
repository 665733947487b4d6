/**
 * What a legacy client hears over its pipe without a request of its own that it would belong to: after the handshake that
 * lists have changed, and of every resource that it has subscribed to (2025-11-25, tools, prompts, resources). State of one
 * conversation.
 */
import { whenThere } from '../awaitable.js';
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
    this.subscription = new McpSubscription(viewOf(news), { tell: (event) => news.tell(newsMessage(event)), fail });
  }

  begin(): void {
    if (this.over || this.leave !== undefined) return;
    try {
      this.leave = this.news.hear((event) => this.subscription.hear(event));
      this.followLists().catch(this.fail);
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

  /** Of what there is: of others no capability was declared. Looks before the next message is read, where nobody must be waited for. */
  private async followLists(): Promise<void> {
    const { prompts, resources } = this.news.now();
    await Promise.all([
      this.subscription.follow('tools'),
      whenThere(prompts?.(), (there) => there && this.subscription.follow('prompts')),
      whenThere(resources?.(), (there) => there && this.subscription.follow('resources')),
    ]);
    this.subscription.begin();
  }
}
