/** The worker's internal limits; those that operators set (time-out, backoff) are in the gateway's Config. */
export interface WorkerSettings {
  /** Requests at once, over all endpoints. */
  concurrency: number;
  /** Requests at once to one endpoint, so that a slow one cannot hold all slots. */
  endpointConcurrency: number;
  /** The same for an endpoint whose last attempt here got no answer at all. */
  silentEndpointConcurrency: number;
  /** Deliveries leased at once, queued or in flight. */
  maxHeld: number;
  /** The most of these for one endpoint. */
  maxEndpointWindow: number;
  /**
   * How much work is queued per endpoint, as time at its current pace: the next item is ready when a slot gets free.
   */
  aheadMs: number;
  /** Attempts that were made but are not yet written; beyond this the worker claims nothing new. */
  maxUnwritten: number;
  /** Another worker may claim a leased delivery after this. Must be longer than the receiver's time-out. */
  leaseMs: number;
  /** How often to look for due deliveries when nothing wakes the worker. */
  pollMs: number;
  /** How long stop() waits for attempts in flight before it aborts them. */
  stopGraceMs: number;
}

const minLeaseMs = 30_000;
const leaseMarginMs = 10_000;
const maxConnectMs = 5_000;

/** For DNS, connection and TLS together: no more than the receiver has for its answer. */
export function connectMs(timeoutMs: number): number {
  return Math.min(maxConnectMs, timeoutMs);
}

/** A request on an idle connection that dies is sent again, so the receiver may have its time twice. */
function longestAttemptMs(timeoutMs: number): number {
  return connectMs(timeoutMs) + 2 * timeoutMs;
}

export function workerSettings(timeoutMs: number, overrides: Partial<WorkerSettings> = {}): WorkerSettings {
  const settings: WorkerSettings = {
    concurrency: 128,
    endpointConcurrency: 16,
    silentEndpointConcurrency: 2,
    maxHeld: 1024,
    maxEndpointWindow: 512,
    aheadMs: 2000,
    maxUnwritten: 1024,
    leaseMs: Math.max(minLeaseMs, longestAttemptMs(timeoutMs) + leaseMarginMs),
    pollMs: 1000,
    stopGraceMs: 3000,
    ...overrides,
  };
  if (settings.leaseMs <= timeoutMs)
    throw new Error(`A lease of ${settings.leaseMs} ms is too short for a time-out of ${timeoutMs} ms`);
  return settings;
}

/**
 * A delivery whose worker died more often than this is given up: it may be what kills the workers. Not
 * fewer: a deployment that restarts again and again must not turn deliveries in flight into dead letters.
 */
export const maxInterruptions = 25;
/** A delivery queued in a worker for this long is released unsent, so that no lease expires during an attempt. */
export const maxWaitMs = 5000;
/** How much of a receiver's answer is read and kept. */
export const maxResponseBytes = 16 * 1024;
/** A delivery that cannot be signed (master secret changed) waits this long; it uses up no attempt. */
export const unsignedRetryMs = 60_000;
