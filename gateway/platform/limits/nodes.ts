import type { Logger } from "pino";
import type { OperatorNode } from "#contract/operator/nodes.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Drain } from "#gateway/platform/core/drain.ts";
import { instanceId } from "#gateway/platform/core/leased-loop.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { eq, like, or, sql } from "#gateway/platform/database/drizzle.ts";
import { drainedNodes, gatewayProcesses } from "#gateway/platform/database/schema.ts";
import { deadAfter, namesOf } from "./presence.ts";

const channel = "drained_nodes_changed";

/** A lost notification is noticed after this time; a drained process reports what it has in hand as often. */
const lookEveryMs = 1_000;

/** Drains this process while it or its node is in the table of drained ones, also from its start on. */
export async function followDrained(
  { database, log }: { database: Database; log: Logger },
  drain: Drain,
): Promise<{ close(): void }> {
  const { queries } = database;
  const own = namesOf(instanceId);
  const names = sql.param([own.node, own.process]);
  const look = async (): Promise<void> => {
    const { rows } = await queries.execute(sql`select from drained_nodes where id = any (${names}) limit 1`);
    const isDrained = rows.length > 0;
    if (isDrained !== drain.isPaused)
      log.warn(
        isDrained ? "this process was drained: it takes no new work" : "this process takes work again",
      );
    const wasPaused = drain.isPaused;
    drain.pause(isDrained);
    if (!isDrained && !wasPaused) return;
    const running = isDrained ? drain.running() : null;
    await queries.update(gatewayProcesses).set({ running }).where(eq(gatewayProcesses.id, instanceId));
  };
  const lookAgain = () =>
    void look().catch((error: unknown) => log.debug({ err: error }, "the drained nodes could not be read"));
  // The drain of a former process with this number.
  await queries.delete(drainedNodes).where(eq(drainedNodes.id, own.process));
  await look();
  const stopListening = await database.listen(channel, lookAgain);
  const timer = setInterval(lookAgain, lookEveryMs);
  timer.unref();
  return {
    close() {
      clearInterval(timer);
      stopListening();
    },
  };
}

/** Why and by whom a node or process was drained. */
interface Order {
  reason: string | null;
  by: { id: string; name: string } | null;
}

/** Drains a node or a process in the caller's transaction. Throws `node_not_found`. */
export async function drainNode(queries: Queries, id: string, { reason, by }: Order): Promise<void> {
  const nodes = await listNodes(queries);
  if (!nodes.some((node) => node.id === id || node.processes.some((process) => process.id === id)))
    throw new ApiError(
      "node_not_found",
      `There is no node or process ${id}. Those that run are: ${nodes.map((node) => node.id).join(", ")}.`,
      { param: "id" },
    );
  await queries
    .insert(drainedNodes)
    .values({ id, reason, by })
    .onConflictDoUpdate({ target: drainedNodes.id, set: { reason, by } });
  await queries.execute(sql`select pg_notify(${channel}, '')`);
}

/** Lets a node with all its processes, or one process, take work again. Returns false if it was not drained. */
export async function undrainNode(queries: Queries, id: string): Promise<boolean> {
  const ofNode = like(drainedNodes.id, `${id.replaceAll(/[%_\\]/g, "\\$&")}:%`);
  const ended = await queries
    .delete(drainedNodes)
    .where(or(eq(drainedNodes.id, id), ofNode))
    .returning({ id: drainedNodes.id });
  await queries.execute(sql`select pg_notify(${channel}, '')`);
  return ended.length > 0;
}

/** The nodes with their running processes, and drained nodes on which none runs now. */
export async function listNodes(queries: Queries): Promise<OperatorNode[]> {
  const processes = await queries
    .select({ id: gatewayProcesses.id, running: gatewayProcesses.running })
    .from(gatewayProcesses)
    .where(sql`${gatewayProcesses.seenAt} >= now() - ${deadAfter}::interval`)
    .orderBy(gatewayProcesses.id);
  const drained = new Map(
    (await queries.select().from(drainedNodes)).map(({ id, since, reason, by }) => [
      id,
      { since: since.toISOString(), reason, by },
    ]),
  );
  const nodes = Map.groupBy(processes, ({ id }) => namesOf(id).node);
  for (const id of drained.keys()) if (!id.includes(":") && !nodes.has(id)) nodes.set(id, []);
  return [...nodes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, its]) => ({
      id,
      object: "operator.node",
      drained: drained.get(id) ?? null,
      processes: its.map((one) => {
        const { process } = namesOf(one.id);
        return { id: process, drained: drained.get(process) ?? null, running: one.running };
      }),
    }));
}
