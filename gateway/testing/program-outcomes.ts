import pg from "pg";
import { expect, vi } from "vitest";

/** The outcome of one prediction and its event. */
export interface PredictionOutcome {
  id: string;
  status: string;
  /** The error code of a failed prediction. */
  code: string | null;
  events: number;
  event_id: string | null;
  deliveries: number;
  delivered: number;
  /** 1 while the prediction or a delivery of it is not over. */
  waiting: number;
}

const outcomesSql = `
  select p.id, p.status, p.error->>'code' as code, count(distinct e.id)::int as events, min(e.id) as event_id, count(d.id)::int as deliveries,
    count(d.id) filter (where d.status = 'delivered')::int as delivered,
    max((p.status in ('starting', 'processing') or d.status in ('pending', 'failed'))::int) as waiting
  from predictions p
  left join webhook_events e on e.prediction_id = p.id
  left join webhook_deliveries d on d.event_id = e.id
  group by p.id, p.status, code`;
const pollMs = 100;

/** Reads the outcome of all predictions directly from the program's database, once nothing is waiting. */
export async function outcomes(connection: pg.ClientConfig, timeoutMs: number): Promise<PredictionOutcome[]> {
  let rows: PredictionOutcome[] = [];
  const waiting = async () => {
    rows = await read(connection);
    return rows.filter((row) => row.waiting === 1);
  };
  // Not expect.poll, because tests that run side by side have no current test.
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), {
    interval: pollMs,
    timeout: timeoutMs,
  });
  return rows;
}

/** With a connection of its own, because a cluster may close connections at any time. */
async function read(connection: pg.ClientConfig): Promise<PredictionOutcome[]> {
  const client = new pg.Client(connection);
  client.on("error", () => {}); // The running query reports the error.
  try {
    await client.connect();
    return (await client.query<PredictionOutcome>(outcomesSql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
