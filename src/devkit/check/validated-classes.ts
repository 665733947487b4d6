/**
 * Whether decorators of class-validator stand on a class. The library is optional, and keeps what it knows in one place of the
 * process whatever copies of it are loaded.
 */

interface ValidatorStorage {
  getTargetValidationMetadatas(
    type: Function,
    schema: string,
    always: boolean,
    strictGroups: boolean,
    groups?: string[],
  ): readonly unknown[];
}

/** Whether a class says what its values must be. */
export function isValidatedClass(type: unknown): type is Function {
  if (typeof type !== 'function') return false;
  const { classValidatorMetadataStorage: storage } = globalThis as { classValidatorMetadataStorage?: ValidatorStorage };
  return (storage?.getTargetValidationMetadatas(type, '', true, false).length ?? 0) > 0;
}
