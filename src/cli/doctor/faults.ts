/**
 * Every fault that the doctor knows of: what it means for the clients of a gate, and what to change. What was seen of it
 * is the finding's.
 */
import { GATE_FAULTS } from './faults.gate.js';
import { REACH_FAULTS } from './faults.reach.js';
import { WIRE_FAULTS } from './faults.wire.js';

export const FAULTS = { ...REACH_FAULTS, ...GATE_FAULTS, ...WIRE_FAULTS };

/** A stable name, for programs. */
export type FaultId = keyof typeof FAULTS;
