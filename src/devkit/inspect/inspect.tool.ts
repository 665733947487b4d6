/**
 * `nest_inspect`: what the running application is made of, subject by subject.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { McpCaller } from '../../caller.js';
import { Annotations, McpTool } from '../../nest/tool.decorator.js';
import type { CallToolResult } from '../../tools/result.js';
import { answer } from '../answer.js';
import { matching, someOf } from '../bounded.js';
import { maskText } from '../secrets/shapes.js';
import { DEVKIT_SETTINGS, type ResolvedDevkitSettings } from '../settings.js';
import { BackgroundWork, type BackgroundFacts } from './background/background.js';
import { ApplicationConfiguration } from './config.js';
import { GatesAndTools } from './gates-and-tools.js';
import { ApplicationModules } from './modules.js';
import { ApplicationProviders } from './providers.js';
import { AS_WRITTEN, RegisteredRoutes } from './registered-routes.js';
import { ApplicationRoutes } from './routes.js';
import { tellFacts, type Telling } from './telling.js';
import {
  moduleInBrief,
  moduleInFull,
  providerInBrief,
  providerInFull,
  routeInBrief,
  routeInFull,
  toolInBrief,
  toolInFull,
} from './views.js';

const OF_OTHERS =
  'This is what a caller over HTTP with these scopes and roles has. You are the local operator, and have what your client lists.';

const SUBJECTS = [
  'routes',
  'modules',
  'providers',
  'config',
  'gates',
  'tools',
  'events',
  'schedules',
  'queues',
] as const;

interface Question {
  readonly subject: (typeof SUBJECTS)[number];
  readonly filter?: string;
  readonly detail?: boolean;
  readonly gate?: string;
  readonly scopes?: readonly string[];
  readonly roles?: readonly string[];
}

/** Of what stands beside a list: routes that no controller has, declarations that no gate serves. */
const BESIDE_AT_MOST = 10;

@Injectable()
export class InspectTool {
  constructor(
    @Inject(DEVKIT_SETTINGS) private readonly settings: ResolvedDevkitSettings,
    private readonly registered: RegisteredRoutes,
    private readonly routes: ApplicationRoutes,
    private readonly modules: ApplicationModules,
    private readonly providers: ApplicationProviders,
    private readonly configuration: ApplicationConfiguration,
    private readonly gates: GatesAndTools,
    private readonly background: BackgroundWork,
  ) {}

  @McpTool({
    name: 'nest_inspect',
    title: 'Inspect the running application',
    description:
      'What the running Nest application really is, by subject. routes: method, full path, version, handler, and the ' +
      'guards, pipes, interceptors and filters that run, in order. modules: imports, exports, controllers. providers: ' +
      'scope, dependencies, who injects them. config: effective values, secrets masked. gates and tools: what MCP ' +
      'clients find, and why a caller with the given scopes and roles does not find a tool. events, schedules, queues: ' +
      'what runs without a request. Narrow with filter (words that must all occur); detail adds files and parameters.',
    inputSchema: {
      type: 'object',
      properties: {
        subject: { type: 'string', enum: [...SUBJECTS] },
        filter: { type: 'string', maxLength: 200, description: 'Words that must all occur, in any case.' },
        detail: { type: 'boolean', description: 'Everything about each: file, parameters, where a guard comes from.' },
        gate: { type: 'string', maxLength: 200, description: 'For tools: only those of this gate.' },
        scopes: {
          type: 'array',
          items: { type: 'string', maxLength: 200 },
          maxItems: 50,
          description: 'For tools: the OAuth scopes of the caller.',
        },
        roles: {
          type: 'array',
          items: { type: 'string', maxLength: 200 },
          maxItems: 50,
          description: 'For tools: the roles of the caller.',
        },
      },
      required: ['subject'],
      additionalProperties: false,
    },
  })
  @Annotations({ readOnlyHint: true, openWorldHint: false })
  async inspect(question: Question, { operator }: McpCaller): Promise<CallToolResult> {
    const { subject } = question;
    const note = subject === 'tools' && operator === true && { note: OF_OTHERS };
    return answer({ subject, ...note, ...(await this.subjects[subject](question)) });
  }

  private readonly subjects: Readonly<Record<Question['subject'], (question: Question) => Promise<object>>> = {
    routes: async (question) => ({
      ...(await this.tell(question, this.routes.all(), {
        of: 'routes',
        brief: routeInBrief,
        full: routeInFull,
        code: ({ callback }) => callback,
        note: this.registered.platform === undefined ? AS_WRITTEN : undefined,
      })),
      ...this.outside(question),
    }),
    modules: (question) =>
      this.tell(question, this.modules.all(), {
        of: 'modules',
        brief: moduleInBrief,
        full: moduleInFull,
        code: ({ type }) => type,
      }),
    providers: (question) =>
      this.tell(question, this.providers.all(), {
        of: 'providers',
        brief: providerInBrief,
        full: providerInFull,
        code: ({ type }) => type,
      }),
    config: (question) => {
      const { entries, note } = this.configuration.read();
      return this.tell(question, entries, { of: 'values', brief: (fact) => ({ ...fact }), note });
    },
    gates: async (question) => this.tell(question, await this.gates.describe(), { of: 'gates', brief: (gate) => gate }),
    tools: (question) => this.tellTools(question),
    events: (question) => this.tellBackground(question, this.background.events()),
    schedules: (question) => this.tellBackground(question, this.background.schedules()),
    queues: (question) => this.tellBackground(question, this.background.queues()),
  };

  private outside({ filter }: Question): object {
    const others = matching(this.routes.outside().map(maskText), filter);
    return others.length === 0 ? {} : { outsideControllers: someOf(others, BESIDE_AT_MOST) };
  }

  private async tellTools(question: Question): Promise<object> {
    const { gate, scopes = [], roles = [] } = question;
    if (gate !== undefined && !this.gates.names.includes(gate)) {
      return { fault: `No gate is called "${gate}". The gates are: ${this.gates.names.join(', ')}.` };
    }
    const tools = await this.gates.tools({ scopes, roles }, gate);
    const { discarded } = this.gates;
    return {
      caller: { scopes, roles },
      ...(await this.tell(question, tools, { of: 'tools', brief: toolInBrief, full: toolInFull })),
      ...(discarded.length > 0 && { discarded: someOf(discarded, BESIDE_AT_MOST) }),
    };
  }

  private tellBackground(question: Question, facts: BackgroundFacts): Promise<object> {
    if ('absent' in facts) return Promise.resolve({ items: [], total: 0, note: facts.absent });
    return this.tell(question, facts.entries, { of: question.subject, brief: (fact) => ({ ...fact }) });
  }

  private tell<F>(question: Question, facts: readonly F[], telling: Telling<F>): Promise<object> {
    return tellFacts(facts, { ...telling, ...question, project: this.settings.project });
  }
}
