/**
 * What the devkit's module lists of this folder.
 */
import type { Type } from '@nestjs/common';
import { ObserveTools } from './observe.tools.js';
import { RequestObserver } from './request-observer.js';

/** The classes whose methods are tools. */
export const OBSERVE_TOOLS: readonly Type[] = [ObserveTools];

/** What they are made of. */
export const OBSERVE_PARTS: readonly Type[] = [RequestObserver];
