import { setIdClock } from "#contract/ids.ts";

let offsetMs = 0;

/**
 * The database's time. Times that one process writes and another compares (an expiry, a deadline, the time in
 * an id) are read here, so that machines with different clocks agree. Durations within a process use
 * `performance.now()`.
 */
export const clock = {
  now: (): number => Date.now() + offsetMs,
  date: (): Date => new Date(Date.now() + offsetMs),
  /** Sets how far the database's clock is ahead of this machine's. */
  setOffset(ms: number): void {
    offsetMs = ms;
  },
};

setIdClock(clock.now);
