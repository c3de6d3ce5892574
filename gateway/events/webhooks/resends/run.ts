import type { Logger } from "pino";
import type { Database } from "#gateway/platform/database/database.ts";
import { stepResend } from "./step.ts";

/** How often a process looks whether there is something to send again, and whether a run can go on. */
const lookMs = 1000;
const goOnMs = 100;

/** Sends the events of a time again, in this process and any other: each step is taken by one of them. */
export function runResends(database: Database, log: Logger): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isFailing = false;
  const look = async (): Promise<void> => {
    const goesOn = await stepResend(database).catch((error: unknown) => {
      if (!isFailing) log.warn({ err: error }, "webhooks: sending again could not go on, will retry");
      isFailing = true;
      return null;
    });
    if (goesOn !== null) isFailing = false;
    if (!isStopped) plan(goesOn ? goOnMs : lookMs);
  };
  let looking = Promise.resolve();
  const plan = (ms: number) => {
    timer = setTimeout(() => {
      looking = look();
    }, ms).unref();
  };
  plan(0);
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
