/**
 * The questions, in the order in which the report answers them.
 */
import type { Scenario } from '../harness/scenario.js';
import { call, list } from './call.js';
import { catalogue } from './catalogue.js';
import { awaited, dto, guarded } from './calls-beside-routes.js';
import { memory } from './memory.js';
import { observed } from './observed.js';
import { openStreams } from './open-streams.js';
import { progress } from './progress.js';
import { protectedCall } from './protected.js';
import { startUp } from './start-up.js';

export const SCENARIOS: readonly Scenario[] = [
  call,
  list,
  catalogue,
  awaited,
  dto,
  guarded,
  protectedCall,
  observed,
  progress,
  openStreams,
  startUp,
  memory,
];
