import { setIdClock } from "#contract/ids.ts";

let offsetMs = 0;

/**
 * The time by the database's clock. What one process writes and another compares (an expiry, a deadline, the time in an
 * id) is read here, so that machines whose clocks differ agree. Durations within a process use `performance.now()`.
 */
export const clock = {
  now: (): number => Date.now() + offsetMs,
  date: (): Date => new Date(Date.now() + offsetMs),
  /** Says by how much the database's clock is ahead of this machine's. */
  setOffset(ms: number): void {
    offsetMs = ms;
  },
};

setIdClock(clock.now);
