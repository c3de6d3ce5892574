import type { Logger } from "pino";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { and, asc, eq, inArray } from "#gateway/platform/database/drizzle.ts";
import { webhookDeliveries, webhookEndpoints, webhookResends } from "#gateway/platform/database/schema.ts";
import { startRetries } from "../deliveries/start-retries.ts";
import { countDue } from "../endpoints/waiting.ts";
import { deliveriesChannel } from "../events.ts";
import { type Candidate, nextEvents, type ResendRow } from "./selection.ts";

/** How often a process checks for events to resend, and whether a run can continue. */
const lookMs = 1000;
const goOnMs = 100;

/** Resends the events of a time range, together with other processes: each step is taken by one of them. */
export function runResends(database: Database, log: Logger): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isFailing = false;
  const look = async (): Promise<void> => {
    const goesOn = await stepResend(database).catch((error: unknown) => {
      if (!isFailing) log.warn({ err: error }, "webhooks: a resend failed, will retry");
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

/** Events that one step looks at. */
const maxLooked = 500;
/**
 * A step queues deliveries only while fewer than this are due at the endpoint, so that new events do not wait
 * behind thousands of old ones, and a stopped run leaves little in the queue.
 */
const maxDue = 100;

/**
 * Takes the run that has waited longest one step further, in one transaction: the queued deliveries and the
 * run's progress are saved together, so that a killed process queues nothing twice. Returns false if no run
 * can continue now.
 */
export async function stepResend(database: Database): Promise<boolean> {
  const isRunning = eq(webhookResends.status, "running");
  // This check costs a third of a transaction, and most of the time there is nothing.
  const [open] = await database.queries
    .select({ id: webhookResends.id })
    .from(webhookResends)
    .where(isRunning)
    .limit(1);
  if (!open) return false;
  const moved = await database.transaction(async (queries) => {
    const [run] = await queries
      .select()
      .from(webhookResends)
      .where(isRunning)
      .orderBy(asc(webhookResends.steppedAt))
      .limit(1)
      .for("update", { skipLocked: true });
    return run ? step(queries, run) : null;
  });
  if (moved?.queued) database.notify(deliveriesChannel);
  return moved?.goesOn ?? false;
}

interface Moved {
  queued: number;
  /** Whether another step may follow at once. */
  goesOn: boolean;
}

async function step(queries: Queries, run: ResendRow): Promise<Moved> {
  const [endpoint] = await queries
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, run.endpointId));
  const now = clock.date();
  const save = (changes: Partial<typeof webhookResends.$inferInsert>) =>
    queries.update(webhookResends).set(changes).where(eq(webhookResends.id, run.id));
  if (!endpoint || endpoint.deletedAt !== null) {
    await save({ status: "stopped", finishedAt: now });
    return { queued: 0, goesOn: true };
  }
  const due = (await countDue(queries, [endpoint.id])).get(endpoint.id) ?? 0;
  const room = endpoint.status === "enabled" ? maxDue - due : 0;
  const limit = Math.min(room, allowedBy(run, now));
  if (limit <= 0) {
    // While only the rate limit holds it back, unused rate accumulates.
    if (room <= 0) await save({ steppedAt: now });
    return { queued: 0, goesOn: false };
  }
  const looked = await nextEvents(queries, run, maxLooked);
  const { send, gone, last } = chosen(looked, limit);
  const queued = await queueAgain(queries, send, endpoint.url);
  const isDone = looked.length < maxLooked && last === looked.at(-1)?.id;
  await save({
    sent: run.sent + queued,
    gone: run.gone + gone,
    afterId: last ?? run.afterId,
    steppedAt: now,
    ...(isDone && { status: "done", finishedAt: now }),
  });
  return { queued, goesOn: true };
}

/** How many deliveries the rate limit allows since the run's last step, at most those of one second. */
function allowedBy({ ratePerSecond, steppedAt }: ResendRow, now: Date): number {
  if (ratePerSecond === null) return Number.POSITIVE_INFINITY;
  const seconds = Math.min(1, (now.getTime() - steppedAt.getTime()) / 1000);
  return Math.floor(ratePerSecond * seconds);
}

function chosen(looked: readonly Candidate[], limit: number) {
  const send: string[] = [];
  let gone = 0;
  let last: string | undefined;
  for (const { id, wanted, kept } of looked) {
    if (wanted && kept) {
      if (send.length === limit) break;
      send.push(id);
    } else if (wanted) gone += 1;
    last = id;
  }
  return { send, gone, last };
}

/**
 * Queues new deliveries of the same events; an event being resent manually at this moment is not sent twice.
 */
async function queueAgain(queries: Queries, ids: string[], url: string): Promise<number> {
  if (ids.length === 0) return 0;
  const originals = await queries
    .select()
    .from(webhookDeliveries)
    .where(and(inArray(webhookDeliveries.id, ids)))
    .orderBy(asc(webhookDeliveries.id))
    .for("update");
  const started = await startRetries(
    queries,
    originals.map((row) => ({ ...row, url })),
    "bulk",
  );
  return started.filter(({ isNew }) => isNew).length;
}
