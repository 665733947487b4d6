/**
 * What a tool logs for its client: what the client has asked to hear and nothing else, at a bounded rate, and never after the
 * end (2026-07-28, logging, which is deprecated there). Operators read the application's own log.
 */
import type { McpClock } from './clock.js';

/** Severities (RFC 5424), the least severe first. */
export const MCP_LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

/** How severe a message is, or from where on a client wants to hear. */
export type McpLogLevel = (typeof MCP_LOG_LEVELS)[number];

export function isMcpLogLevel(value: unknown): value is McpLogLevel {
  return MCP_LOG_LEVELS.includes(value as McpLogLevel);
}

/** The most messages of one run in a second. */
export const MCP_LOG_MAX_PER_SECOND = 50;
const SECOND_MS = 1_000;

/** The longest name of a logger. */
const MAX_LOGGER_CHARS = 200;
/** Names the messages that are ours: how many of the tool's were dropped. */
const OWN_LOGGER = 'nestjs-mcp-gate';

/** The parameters of a `notifications/message`. */
export interface McpLogParams {
  readonly level: McpLogLevel;
  readonly logger?: string;
  readonly data: unknown;
}

/** Takes what a tool logs. */
export interface McpLogReporter {
  /** Never throws. A level that does not exist is dropped. */
  log(level: McpLogLevel, data: unknown, logger?: string): void;
  /** The work is over: says how many messages were dropped, if any were, then falls silent. */
  end(): void;
  /** The run was aborted: falls silent at once. */
  stop(): void;
}

/** Shared by all runs to which nobody listens. */
export const NO_LOG: McpLogReporter = Object.freeze({ log() {}, end() {}, stop() {} });

/** What a reporter needs: from where on it is heard, somewhere to send to, and the time. */
export interface McpLogOptions {
  /** The least severe level that is sent. */
  readonly from: McpLogLevel;
  readonly send: (params: McpLogParams) => void;
  readonly clock: McpClock;
  /** @default MCP_LOG_MAX_PER_SECOND */
  readonly maxPerSecond?: number;
}

/** A reporter for one run. What is over the bound of a second is dropped, and counted for the client. */
export function createLogReporter(options: McpLogOptions): McpLogReporter {
  return new LogReporter(options);
}

class LogReporter implements McpLogReporter {
  private readonly least: number;
  private readonly most: number;
  private since = -Infinity;
  private sent = 0;
  private dropped = 0;
  /** The severest of what was dropped: how many there were is news of that level. */
  private worst = 0;
  private silent = false;

  constructor(private readonly options: McpLogOptions) {
    this.least = MCP_LOG_LEVELS.indexOf(options.from);
    this.most = options.maxPerSecond ?? MCP_LOG_MAX_PER_SECOND;
  }

  log(level: McpLogLevel, data: unknown, logger?: string): void {
    const severity = MCP_LOG_LEVELS.indexOf(level);
    if (this.silent || severity < this.least) return; // -1 for what is none
    const now = this.options.clock.now();
    if (now - this.since >= SECOND_MS) {
      this.since = now;
      this.sent = 0;
      this.tellDropped();
    }
    if (this.sent >= this.most) {
      this.dropped += 1;
      this.worst = Math.max(this.worst, severity);
      return;
    }
    this.sent += 1;
    this.options.send({
      level,
      ...(typeof logger === 'string' && { logger: logger.slice(0, MAX_LOGGER_CHARS) }),
      data,
    });
  }

  end(): void {
    if (!this.silent) this.tellDropped();
    this.silent = true;
  }

  stop(): void {
    this.silent = true;
  }

  private tellDropped(): void {
    const { dropped, most, worst } = this;
    if (dropped === 0) return;
    this.dropped = this.worst = 0;
    this.sent += 1;
    const messages = dropped === 1 ? '1 message was' : `${dropped} messages were`;
    const data = `${messages} dropped: at most ${most} a second are sent.`;
    this.options.send({ level: MCP_LOG_LEVELS[worst]!, logger: OWN_LOGGER, data });
  }
}
