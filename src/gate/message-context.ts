/**
 * Everything that the protocol may know and do for one message to a gate: who serves, who asks, the tools that there are
 * for it, and the runs that it opens.
 */
import type { McpCaller } from '../caller.js';
import type { McpMessageContext, McpServerFacts, McpServerFault } from '../protocol/context.js';
import type { McpClock } from '../runs/clock.js';
import type { McpLiveRuns } from '../runs/live-runs.js';
import type { McpOpenRun } from '../runs/open-run.js';
import { collectMcpTools, type McpToolSource } from '../tools/catalogue.js';
import type { McpTool } from '../tools/tool.js';
import { openMcpRun } from './open-run.js';
import type { McpResponseStream } from './response-stream.js';
import type { ResolvedGateSettings } from './settings.js';

/** The gate that a message is for. */
export interface McpMessageRecipient {
  readonly settings: ResolvedGateSettings;
  readonly server: McpServerFacts;
  readonly source: McpToolSource;
  readonly live: McpLiveRuns;
  readonly clock: McpClock;
  readonly report: (fault: McpServerFault) => string;
  readonly onWithheld: (tool: McpTool, reason: string) => void;
}

/** Who sent it, and the way back. */
export interface McpMessageSender extends Pick<McpMessageContext, 'headers' | 'assumedVersion'> {
  readonly caller: McpCaller;
  /** The framework's request. */
  readonly request: unknown;
  /** Whose runs this sender may cancel (R4). */
  readonly principal: string;
  readonly stream: Pick<McpResponseStream, 'notify'>;
  /** A run was opened: ties it to what may end it early. */
  readonly onRun: (run: McpOpenRun) => void;
}

/** The context of one message. Nothing is collected or opened before the protocol asks for it. */
export function messageContext(gate: McpMessageRecipient, sender: McpMessageSender): McpMessageContext {
  const { settings, server, source, live, clock, report, onWithheld } = gate;
  const { caller, request, principal, stream, headers, assumedVersion, onRun } = sender;
  const { accounts, authorization, maxRunMs } = settings;
  return {
    server,
    caller,
    catalogue: collectMcpTools(source, { caller, request, onWithheld }),
    challenges: authorization !== undefined,
    ...(accounts !== undefined && { accounts }),
    ...(headers !== undefined && { headers }),
    ...(assumedVersion !== undefined && { assumedVersion }),
    openRun(opened) {
      const run = openMcpRun({ request: opened, caller, host: request, clock, maxRunMs, live, principal, stream });
      onRun(run);
      return run;
    },
    cancel: (requestId) => live.cancel(principal, requestId),
    report,
  };
}

/** The part of a gate's settings that the protocol reads. */
export function serverFacts({
  name,
  version,
  title,
  instructions,
  protocol,
  cache,
}: ResolvedGateSettings): McpServerFacts {
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(instructions !== undefined && { instructions }),
    versions: protocol.versions,
    discover: protocol.discover,
    cache,
  };
}
