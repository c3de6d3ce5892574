import type { AttemptResult } from "./attempt-result.ts";

/** What a batch of results changes at one endpoint, as the writing statement reads it. */
export interface HealthChange {
  endpoint_id: string;
  /** Whether a success was among them: earlier failures no longer count. */
  recovered: boolean;
  /** Failures since the last success of the batch, or all of them. */
  failures: number;
  failing_since: string | null;
  succeeded_at: string | null;
  failed_at: string | null;
}

export interface HourChange {
  endpoint_id: string;
  hour: string;
  deliveries: number;
  delivered: number;
  failed: number;
}

/** Folds results, in their order, into one change per endpoint; sorted, so that all writers lock in one order. */
export function healthChanges(results: readonly AttemptResult[]): HealthChange[] {
  const changes = new Map<string, HealthChange>();
  for (const { attempt, countsForHealth } of results) {
    if (!attempt || !countsForHealth) continue;
    const change = changes.get(attempt.endpoint_id) ?? {
      endpoint_id: attempt.endpoint_id,
      recovered: false,
      failures: 0,
      failing_since: null,
      succeeded_at: null,
      failed_at: null,
    };
    if (attempt.succeeded) {
      change.recovered = true;
      change.failures = 0;
      change.failing_since = null;
      change.succeeded_at = attempt.started_at;
    } else {
      change.failures += 1;
      change.failing_since ??= attempt.started_at;
      change.failed_at = attempt.started_at;
    }
    changes.set(attempt.endpoint_id, change);
  }
  return sorted(changes);
}

/** The same results counted per endpoint and hour, manual retries and tests included. */
export function hourChanges(results: readonly AttemptResult[]): HourChange[] {
  const changes = new Map<string, HourChange>();
  for (const { attempt, change: delivery } of results) {
    if (!attempt || !delivery || delivery.used === 0) continue;
    const hour = `${attempt.started_at.slice(0, 13)}:00:00Z`;
    const key = `${attempt.endpoint_id} ${hour}`;
    const change = changes.get(key) ?? {
      endpoint_id: attempt.endpoint_id,
      hour,
      deliveries: 0,
      delivered: 0,
      failed: 0,
    };
    if (attempt.number === 1) change.deliveries += 1;
    if (attempt.succeeded) change.delivered += 1;
    else change.failed += 1;
    changes.set(key, change);
  }
  return sorted(changes);
}

function sorted<Change>(changes: Map<string, Change>): Change[] {
  return [...changes.keys()].sort().flatMap((key) => changes.get(key) ?? []);
}
