/**
 * What the devkit's module lists of this folder.
 */
import type { Type } from '@nestjs/common';
import { ProfileTools } from './profile.tools.js';
import { ProfiledAccounts } from './profiled-account.js';

/** The classes whose methods are tools. */
export const PROFILE_TOOLS: readonly Type[] = [ProfileTools];

/** What they are made of. */
export const PROFILE_PARTS: readonly Type[] = [ProfiledAccounts];
