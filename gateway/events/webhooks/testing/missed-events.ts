import type { Resend } from "#contract/resends.ts";
import { stepResend } from "../resends.ts";
import type { Scene } from "./scene.ts";

/** Before every event of these tests. */
export const since = "2020-01-01T00:00:00Z";

/** The events that an endpoint has missed, and the runs that send them again. */
export type MissedEvents = ReturnType<typeof missedEvents>;

export function missedEvents(scene: Scene, endpointId: string) {
  const pool = () => scene.context.database.pool;

  /** Older deliveries with this status, each of its own event. */
  async function seed(status: string, count: number, from = 0): Promise<void> {
    await pool().query(
      `insert into webhook_events (id, account_id, type, body, payload_expires_at)
       select 'evt_' || n, $1, 'prediction.succeeded', '{}', now() + interval '1 day'
       from generate_series($2::int + 1, $2::int + $3::int) n`,
      [scene.account.accountId, from, count],
    );
    await pool().query(
      `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, url, status, attempts, next_attempt_at)
       select 'dlv_01k' || lpad(n::text, 23, '0'), $1, 'evt_' || n, $2, 'prediction.succeeded', 'https://old.example.com', $5, 1,
         case when $5 = 'failed' then now() + interval '1 hour' end
       from generate_series($3::int + 1, $3::int + $4::int) n`,
      [scene.account.accountId, endpointId, from, count, status],
    );
  }

  async function resend(body: object = {}): Promise<{ status: number; run: Resend; code: unknown }> {
    const answer = await scene.call("POST", `/webhooks/endpoints/${endpointId}/resend`, { since, ...body });
    const run = answer.body as unknown as Resend;
    return { status: answer.status, run, code: (answer.body.error as { code?: string } | undefined)?.code };
  }

  const read = async (id: string | null) =>
    (await scene.call("GET", `/webhooks/resends/${id}`)).body as unknown as Resend;

  /** Marks queued deliveries as accepted, like a receiver would. */
  const accept = () =>
    pool().query(
      "update webhook_deliveries set status = 'delivered', next_attempt_at = null where trigger = 'bulk' and status in ('pending', 'failed')",
    );

  async function stepUntilEnd(id: string | null): Promise<void> {
    while ((await read(id)).status === "running") {
      await stepResend(scene.context.database);
      await accept();
    }
  }

  async function sentAgain() {
    const { rows } = await pool().query(
      `select count(*)::int as made, count(distinct event_id)::int as events
       from webhook_deliveries where trigger = 'bulk' and endpoint_id = $1`,
      [endpointId],
    );
    return rows[0];
  }

  return { pool, seed, resend, read, accept, stepUntilEnd, sentAgain };
}
