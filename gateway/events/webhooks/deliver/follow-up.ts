import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "#gateway/context.ts";
import { isDatabaseUnavailable } from "#gateway/platform/database/unavailable.ts";
import { newsOf, tellOfEndpoint } from "../news/tell.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { autoDisable, type Stop, shouldAutoDisable, stopEndpoint } from "./auto-disable.ts";
import type { TouchedEndpoint } from "./save-results.ts";

export interface FollowUp {
  /** Never waits. */
  add(results: readonly AttemptResult[], touched: readonly TouchedEndpoint[]): void;
  /** Finishes the endpoint in hand; the others are left as after a kill. */
  stop(): Promise<void>;
}

/** What an endpoint waits for. */
interface Waiting {
  stops?: Stop;
  touched?: TouchedEndpoint;
}

/** Endpoints that wait. Those beyond are found like those that a killed process leaves. */
const maxWaiting = 10_000;
/** While the database is away. */
const retryMs = 500;

/**
 * What saved results mean for their endpoints: to stop, to be disabled, to be reported. It happens beside the writer, one
 * endpoint after the other: hundreds that fail together must not delay the results of all others. Each is decided anew in a
 * transaction of its own; what a killed process leaves undone is found at the next result, or by the sweep. Without extensions
 * none stops or is disabled: every delivery has its eight attempts.
 */
export function startFollowUp(context: Context): FollowUp {
  const waiting = new Map<string, Waiting>();
  let isStopped = false;
  let running: Promise<void> | null = null;

  const put = (endpointId: string, more: Waiting): void => {
    const known = waiting.get(endpointId);
    if (known?.stops && more.stops) Object.assign(known, more, { stops: stronger(known.stops, more.stops) });
    else if (known) Object.assign(known, more);
    else if (waiting.size < maxWaiting) waiting.set(endpointId, more);
  };
  const run = async (): Promise<void> => {
    for (const [endpointId, what] of waiting) {
      if (isStopped) return;
      waiting.delete(endpointId);
      try {
        await followEndpoint(context, endpointId, what);
      } catch (error) {
        context.log.warn(
          { err: error, endpoint: endpointId },
          "webhooks: an endpoint could not be followed up",
        );
        if (!isDatabaseUnavailable(error)) continue;
        put(endpointId, { ...what, ...waiting.get(endpointId) });
        await sleep(retryMs);
      }
    }
  };
  const start = (): void => {
    running ??= run().finally(() => {
      running = null;
      if (waiting.size > 0 && !isStopped) start();
    });
  };
  return {
    add(results, touched) {
      for (const { attempt, stops } of results)
        if (attempt && stops && context.config.extensions)
          put(attempt.endpoint_id, { stops: { attempt, reason: stops } });
      for (const endpoint of touched)
        if (hasFollowUp(context, endpoint)) put(endpoint.id, { touched: endpoint });
      if (waiting.size > 0 && !isStopped) start();
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** The header that stops deliveries acts at once; a 410 counts with those before it of the same delivery. */
function stronger(one: Stop, other: Stop): Stop {
  if (one.reason !== other.reason) return one.reason === "stopped" ? one : other;
  return other.attempt.number >= one.attempt.number ? other : one;
}

function hasFollowUp(context: Context, endpoint: TouchedEndpoint): boolean {
  return newsOf(endpoint) !== null || isToDisable(context, endpoint);
}

function isToDisable(
  { config }: Context,
  endpoint: TouchedEndpoint,
): endpoint is TouchedEndpoint & { failingSince: Date } {
  return config.extensions && shouldAutoDisable(endpoint, config.webhooks.autoDisableAfterMs);
}

async function followEndpoint(context: Context, id: string, { stops, touched }: Waiting): Promise<void> {
  if (stops) await stopEndpoint(context, stops);
  if (!touched) return;
  if (newsOf(touched)) await tellOfEndpoint(context, id);
  if (isToDisable(context, touched)) await autoDisable(context, id, touched.failingSince);
}
