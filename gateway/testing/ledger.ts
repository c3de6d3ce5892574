import type pg from "pg";
import type { ReplicateServer } from "../models/providers/testing/replicate-server.ts";
import type { Load } from "./load.ts";
import { outcomes } from "./program-outcomes.ts";
import type { Receiver } from "./receiver.ts";

interface Books {
  loads: Pick<Load, "accepted" | "canceled">[];
  /** Every run that was requested from the upstream. */
  upstream: ReplicateServer;
  /** Every event that arrived at the receiver. */
  receiver: Receiver;
  connection: pg.ClientConfig;
  /** Error codes that a run may end with: after a kill its outcome may be unknown. */
  mayFailWith?: string[];
  settleMs?: number;
}

/**
 * Waits until nothing is in progress, then compares the database with the answers to clients, the requests to
 * the upstream and the events at the receiver. Returns the problems: a lost order, a run dispatched twice, an
 * end without its one event, an event that never arrived.
 */
export async function auditBooks(books: Books): Promise<string[]> {
  const { upstream, receiver, connection, mayFailWith = [], settleMs = 90_000 } = books;
  const rows = await outcomes(connection, settleMs);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const arrived = new Set(receiver.received.map((one) => one.headers["x-svc-event-id"]));
  const wrong: string[] = [];
  for (const row of rows) {
    if (row.events !== 1) wrong.push(`${row.id} has ${row.events} events`);
    else if (row.deliveries !== 1 || row.delivered !== 1)
      wrong.push(`${row.id} has ${row.delivered} of ${row.deliveries} deliveries delivered`);
    else if (!arrived.has(row.event_id ?? "")) wrong.push(`the event of ${row.id} never arrived`);
    if (row.status === "failed" && !mayFailWith.includes(row.code ?? ""))
      wrong.push(`${row.id} failed with ${row.code}`);
  }
  for (const { accepted, canceled } of books.loads) {
    for (const id of accepted.keys()) if (!byId.has(id)) wrong.push(`${id} was accepted and is lost`);
    for (const id of canceled)
      if (byId.get(id)?.status !== "canceled")
        wrong.push(`${id} was canceled and is ${byId.get(id)?.status}`);
  }
  for (const [prompt, times] of dispatches(upstream))
    if (times > 1) wrong.push(`the run "${prompt}" was dispatched ${times} times`);
  return wrong;
}

/** Number of upstream requests per prompt. */
export function dispatches(upstream: ReplicateServer): Map<string, number> {
  const counts = new Map<string, number>();
  for (const request of upstream.created()) {
    const { prompt } = request.json().input as { prompt: string };
    counts.set(prompt, (counts.get(prompt) ?? 0) + 1);
  }
  return counts;
}
