/**
 * What the devkit's module lists of this folder.
 */
import type { Type } from '@nestjs/common';
import { SymbolsTools } from './symbols.tools.js';

/** The classes whose methods are tools. */
export const SYMBOL_TOOLS: readonly Type[] = [SymbolsTools];
