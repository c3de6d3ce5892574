import type { PlatformContext } from "./context.ts";
import type { RetrySchedule } from "./core/retry-schedule.ts";
import type { Sweep } from "./core/sweeps.ts";
import type { App } from "./http/app.ts";

/** All that a district gives to the gateway. A new room adds its line to the door of its district. */
export interface District<Below, Context extends PlatformContext> {
  /** Opens the services of the district. Each that must be closed is passed through `keep`. */
  open(below: Below, keep: Keep): Context | Promise<Context>;
  /** Routes below `/v1`. */
  routes?: readonly ((v1: App, context: Context) => void)[];
  /** Routes whose paths are fixed by a standard. */
  rootRoutes?: readonly ((app: App, context: Context) => void | Promise<void>)[];
  /** A worker that returns null has nothing to do with these settings. */
  workers?: readonly ((context: Context, options: WorkerOptions) => Started | Promise<Started>)[];
  sweeps?: readonly Sweep<Context>[];
}

type Keep = <Service extends { close(): unknown }>(service: Service) => Service;

export interface WorkerOptions {
  /** Multiplies the waits between the steps of a run; smaller in tests. */
  waitFactor?: number;
  /** When a copy that failed is tried again. */
  copyAgain?: RetrySchedule;
}

export type Started = { stop(): Promise<void> } | null;
