/**
 * What `@Module()` leaves of a module's imports.
 */
import { MODULE_METADATA } from '@nestjs/common/constants.js';

/** The modules that a module's decorator imports, as it names them: Nest adds every global one to what it keeps. */
export function writtenImports(type: Function): readonly unknown[] {
  return (Reflect.getMetadata(MODULE_METADATA.IMPORTS, type) as unknown[] | undefined) ?? [];
}
