/**
 * `nest_profile_route`: how long a route takes, and where, by real requests in the name of whoever asks.
 */
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import type { McpCaller } from '../../caller.js';
import { ActsForUser, Annotations, McpTool, RequireScopes, ScopesFor } from '../../nest/tool.decorator.js';
import type { McpRun } from '../../runs/run.js';
import { McpTicketSessions } from '../../ticket-session/ticket-sessions.js';
import { McpTicketFault } from '../../ticket-session/ticket-session-gate.js';
import { ownAddress } from '../../ticket-session/own-address.js';
import { McpToolFailure } from '../../tools/failure.js';
import { answer } from '../answer.js';
import { DEVKIT_SETTINGS, type ResolvedDevkitSettings } from '../settings.js';
import { measure } from './measurement.js';
import { ProfiledAccounts } from './profiled-account.js';
import { PROFILED_METHODS, targetAddress, type ProfileTarget } from './target.js';
import type { Send } from './timed-requests.js';

interface ProfileQuestion extends ProfileTarget {
  readonly repeat?: number;
  readonly as?: string;
}

const REPEAT = 20;
const MAX_REPEAT = 200;

const NO_FLOW =
  'There is no login flow for sessions: import McpTicketSessionModule.forRoot({ factor, flow }) of nestjs-mcp-gate/ticket-session.';

/** Of all applications of the process: each profile patches what they have in common, and takes its patch away again. */
let busy = false;

@Injectable()
export class ProfileTools {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly modules: ModuleRef,
    private readonly accounts: ProfiledAccounts,
    @Inject(DEVKIT_SETTINGS) private readonly settings: ResolvedDevkitSettings,
  ) {}

  @McpTool({
    name: 'nest_profile_route',
    title: 'Profile a route',
    description:
      'Fires real requests at one route of this application, in a session of your account, and measures them: the distribution of ' +
      'times, the status codes, what each guard, interceptor and pipe and the method itself took, and where the processor was. The ' +
      'requests DO what they do: a POST that orders, orders each time. Ask with repeat: 1 first.',
    inputSchema: {
      type: 'object',
      properties: {
        method: { type: 'string', enum: [...PROFILED_METHODS] },
        path: {
          type: 'string',
          minLength: 1,
          maxLength: 2_000,
          description: 'A path of this application with its query: /orders?page=2.',
        },
        body: { description: 'Sent as JSON.' },
        repeat: {
          type: 'integer',
          minimum: 1,
          maximum: MAX_REPEAT,
          description: 'How many requests, one after the other.',
          default: REPEAT,
        },
        as: {
          type: 'string',
          minLength: 1,
          maxLength: 200,
          description: 'The account to ask as, in place of your own. Its roles must be among yours.',
        },
      },
      required: ['method', 'path'],
      additionalProperties: false,
    },
  })
  @Annotations({ readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true })
  @RequireScopes('devkit:profile')
  @ScopesFor<ProfileQuestion>(({ as }) => (as === undefined ? [] : ['devkit:act']))
  @ActsForUser()
  async profile(question: ProfileQuestion, caller: McpCaller, run: McpRun): Promise<unknown> {
    const application = ownAddress(this.host);
    if (application === undefined)
      throw new McpToolFailure('The application listens on no port: there is nothing to ask.');
    const url = targetAddress(question, application);
    if (busy)
      throw new McpToolFailure('Another profile is running, and two would measure each other: ask again later.');
    busy = true;
    try {
      return answer(await this.inSession(question, url, caller, run));
    } finally {
      busy = false;
    }
  }

  private async inSession(question: ProfileQuestion, url: URL, caller: McpCaller, run: McpRun): Promise<object> {
    const account = await this.accounts.of(caller, question.as);
    const sessions = this.sessions();
    if (sessions === undefined) {
      if (question.as !== undefined) throw new McpToolFailure(`${NO_FLOW} So nobody's name can be taken.`);
      const asNobody: Send = (init) => fetch(url, { ...init, redirect: 'manual' });
      const measured = await this.measure(question, asNobody, run);
      return { as: 'nobody', note: `${NO_FLOW} The requests were sent as nobody.`, ...measured };
    }
    try {
      return await sessions.during(account, async (session) => {
        const measured = await this.measure(question, (init) => session.fetch(url.href, init), run);
        return { as: account.id, ...measured };
      });
    } catch (error) {
      if (!(error instanceof McpTicketFault)) throw error;
      throw new McpToolFailure('No session could be opened for the account: the log of the application says why.');
    }
  }

  private measure({ method, body, repeat = REPEAT }: ProfileQuestion, send: Send, run: McpRun): Promise<object> {
    return measure({ method, body, repeat }, { send, project: this.settings.project, run });
  }

  private sessions(): McpTicketSessions | undefined {
    try {
      const sessions = this.modules.get(McpTicketSessions, { strict: false });
      return sessions.canOpen ? sessions : undefined;
    } catch {
      return undefined;
    }
  }
}
