/**
 * What the doctor says of one thing that it has looked at.
 */
import { FAULTS, type FaultId } from './faults.js';
import type { CheckName } from './known-fault.js';

/** `note`: worth knowing. `unchecked`: could not be looked at, and why. */
export type Verdict = 'ok' | 'change' | 'note' | 'unchecked';

export interface Finding {
  readonly check: CheckName;
  readonly verdict: Verdict;
  /** A stable name, for programs. */
  readonly fault?: FaultId;
  readonly seen: string;
  readonly means?: string;
  readonly change?: string;
}

/** Something is as it should be. */
export function sound(check: CheckName, seen: string): Finding {
  return { check, verdict: 'ok', seen };
}

/** Something must be changed. */
export function faulty(fault: FaultId, seen: string): Finding {
  const { check, means, change } = FAULTS[fault];
  return { check, verdict: 'change', fault, seen, means, change };
}

/** Something that may be meant so. */
export function noted(check: CheckName, seen: string, means?: string): Finding {
  return { check, verdict: 'note', seen, ...(means !== undefined && { means }) };
}

/** Something could not be looked at; `change` says how it can. */
export function unchecked(check: CheckName, seen: string, change?: string): Finding {
  return { check, verdict: 'unchecked', seen, ...(change !== undefined && { change }) };
}
