/**
 * What is known of a fault, whoever has it.
 */

/** What a fault is, whoever has it. */
export interface KnownFault {
  readonly check: CheckName;
  readonly means: string;
  readonly change: string;
}

/** The checks, in their order. */
export type CheckName =
  'reach' | 'token' | 'versions' | 'headers' | 'guards' | 'protection' | 'cors' | 'body' | 'stream';
