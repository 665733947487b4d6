/**
 * A clock that a test turns by hand: nothing happens until it is told that time has passed.
 */
import type { McpClock } from '../../src/runs/clock.js';

interface Appointment {
  readonly at: number;
  readonly work: () => void;
}

export class HandClock implements McpClock {
  private time = 1_000;
  private readonly appointments = new Set<Appointment>();

  now(): number {
    return this.time;
  }

  after(ms: number, work: () => void): () => void {
    const appointment = { at: this.time + ms, work };
    this.appointments.add(appointment);
    return () => this.appointments.delete(appointment);
  }

  /** Lets `ms` pass; what falls due happens in its order, at its time. */
  turn(ms: number): void {
    const until = this.time + ms;
    for (let next = this.next(until); next !== undefined; next = this.next(until)) {
      this.appointments.delete(next);
      this.time = Math.max(this.time, next.at);
      next.work();
    }
    this.time = until;
  }

  /** How many appointments stand. */
  get pending(): number {
    return this.appointments.size;
  }

  private next(until: number): Appointment | undefined {
    let first: Appointment | undefined;
    for (const appointment of this.appointments) {
      if (appointment.at <= until && (first === undefined || appointment.at < first.at)) first = appointment;
    }
    return first;
  }
}
