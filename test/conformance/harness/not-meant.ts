/**
 * What this package does not mean to pass, each with its reason. Nothing else may stand here.
 */
import type { Revision } from './suite.js';

/** A scenario, or one check of it, that may be lost. */
export interface NotMeant {
  readonly scenario: string;
  /** Of one revision only. */
  readonly revision?: Revision;
  /** Only this check; the others of the scenario are meant. */
  readonly check?: string;
  readonly reason: string;
}

const SESSIONS = 'no sessions are kept';
const POLLING = 'a stream that breaks is not resumed: no sessions are kept';
const TASKS = 'the extension io.modelcontextprotocol/tasks is not offered';

const TASK_SCENARIOS = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-status-notifications',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];

export const NOT_MEANT: readonly NotMeant[] = [
  { scenario: 'server-session-lifecycle', reason: SESSIONS },
  { scenario: 'server-sse-polling', reason: POLLING },
  {
    scenario: 'server-sse-multiple-streams',
    revision: '2025-11-25',
    check: 'server-sse-multiple-streams-session',
    reason: SESSIONS,
  },
  ...TASK_SCENARIOS.map((scenario) => ({ scenario, reason: TASKS })),
];
