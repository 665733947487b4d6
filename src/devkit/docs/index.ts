/**
 * What the devkit's module lists of this folder.
 */
import type { Type } from '@nestjs/common';
import { DocsTools } from './docs.tools.js';

/** The classes whose methods are tools. */
export const DOCS_TOOLS: readonly Type[] = [DocsTools];
