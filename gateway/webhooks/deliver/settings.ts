/** How a worker works; the limits that people set (time-out, backoff) are in the gateway's Config. */
export interface WorkerSettings {
  /** Requests at once, over all endpoints. */
  concurrency: number;
  /** Requests at once to one endpoint, so that a slow one cannot hold all slots. */
  endpointConcurrency: number;
  /** The same while an endpoint's last attempt here got no answer at all. */
  silentEndpointConcurrency: number;
  /** Deliveries leased at once, waiting or under way. */
  maxHeld: number;
  /** Of these, at most how many of one endpoint. */
  maxEndpointWindow: number;
  /** How long what waits for an endpoint may take at its present pace: the next are at hand when a place gets free. */
  aheadMs: number;
  /** Attempts that were made but are not yet written; beyond this the worker claims nothing new. */
  maxUnwritten: number;
  /** A claimed delivery is another worker's to take after this. It must outlast the receiver's time-out. */
  leaseMs: number;
  /** How often to look for due deliveries when nothing wakes the worker. */
  pollMs: number;
  /** How long stop() waits for attempts under way before it breaks them off. */
  stopGraceMs: number;
}

const minLeaseMs = 30_000;
const leaseMarginMs = 20_000;

export function workerSettings(timeoutMs: number, overrides: Partial<WorkerSettings> = {}): WorkerSettings {
  const settings: WorkerSettings = {
    concurrency: 128,
    endpointConcurrency: 16,
    silentEndpointConcurrency: 2,
    maxHeld: 1024,
    maxEndpointWindow: 512,
    aheadMs: 2000,
    maxUnwritten: 1024,
    leaseMs: Math.max(minLeaseMs, timeoutMs + leaseMarginMs),
    pollMs: 1000,
    stopGraceMs: 3000,
    ...overrides,
  };
  if (settings.leaseMs <= timeoutMs)
    throw new Error(`A lease of ${settings.leaseMs} ms cannot outlast a time-out of ${timeoutMs} ms`);
  return settings;
}

/**
 * A delivery whose attempts died with their worker more often is given up: it may be what kills the workers. Not
 * fewer: a deployment that is restarted again and again must not turn what was under way into dead letters.
 */
export const maxInterruptions = 25;
/** A delivery that waited this long in a worker goes back unsent: its lease must outlast the attempt. */
export const maxWaitMs = 5000;
/** How much of a receiver's answer is read and kept. */
export const maxResponseBytes = 16 * 1024;
/** A delivery that cannot be signed (master secret changed) waits this long; it uses up no attempt. */
export const unsignedRetryMs = 60_000;
