import type { EventsContext } from "#gateway/events/context.ts";
import type { Sweep } from "#gateway/platform/core/sweeps.ts";
import type { RunsContext } from "#gateway/runs/context.ts";

export interface MonitoringContext extends EventsContext, Pick<RunsContext, "signer"> {
  /** The sweeps of all districts. */
  sweeps: readonly Sweep<unknown>[];
}
