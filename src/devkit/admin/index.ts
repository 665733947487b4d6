/**
 * What the devkit's module lists of this folder, and the decorator.
 */
import type { Type } from '@nestjs/common';
import { AdminReads } from './admin-reads.js';
import { AdminTools } from './admin.tools.js';

export { AdminRead, type AdminReadDeclaration } from './admin-read.decorator.js';

/** The classes whose methods are tools. */
export const ADMIN_TOOLS: readonly Type[] = [AdminTools];

/** What they are made of. */
export const ADMIN_PARTS: readonly Type[] = [AdminReads];
