/**
 * The worker's internal limits; those that operators can set (time-out, backoff) are in the gateway's Config.
 */
export interface WorkerSettings {
  /** Concurrent requests over all endpoints. */
  concurrency: number;
  /** Concurrent requests to one endpoint, so that a slow one cannot take all slots. */
  endpointConcurrency: number;
  /** Concurrent requests to an endpoint that did not answer this worker's last attempt. */
  silentEndpointConcurrency: number;
  /** Deliveries leased at once, queued or in flight. */
  maxHeld: number;
  /** Deliveries leased at once for one endpoint. */
  maxEndpointWindow: number;
  /**
   * Work queued per endpoint, as time at its current pace, so that the next item is ready when a slot becomes
   * free.
   */
  aheadMs: number;
  /** Attempts made but not yet written; beyond this number the worker claims nothing new. */
  maxUnwritten: number;
  /**
   * After this time another worker may claim a leased delivery. Must be longer than the receiver's time-out.
   */
  leaseMs: number;
  /** How often to look for due deliveries if nothing wakes the worker. */
  pollMs: number;
  /** How long stop() waits for attempts in flight before it aborts them. */
  stopGraceMs: number;
}

const minLeaseMs = 30_000;
const leaseMarginMs = 10_000;
const maxConnectMs = 5_000;

/** The limit for DNS, connection and TLS together, at most the time that the receiver has for its answer. */
export function connectMs(timeoutMs: number): number {
  return Math.min(maxConnectMs, timeoutMs);
}

/**
 * A request that fails on a stale connection is sent again, so an attempt can last twice the receiver's
 * time-out.
 */
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
 * A delivery whose worker died more often than this is given up, because it may be the cause of the crashes.
 * The number is high, so that deployments which restart again and again do not turn deliveries in flight into
 * dead letters.
 */
export const maxInterruptions = 25;
/**
 * A delivery that waited in a worker for this long is released unsent, so that no lease expires during an
 * attempt.
 */
export const maxWaitMs = 5000;
/** The part of a receiver's answer that is read and stored. */
export const maxResponseBytes = 16 * 1024;
/**
 * A delivery that cannot be signed (the master secret changed) waits this long, without using up an attempt.
 */
export const unsignedRetryMs = 60_000;
