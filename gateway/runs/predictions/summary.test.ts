import { describe, expect, it, vi } from "vitest";
import { firstIdAt, newId } from "#contract/ids.ts";
import type { Summary } from "#contract/summary.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const hourMs = 3_600_000;

describe("the summary of the last 24 hours", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());

  const read = async (bearer = account.key) =>
    (await call(gateway, bearer, "GET", "/summary")).body as unknown as Summary;
  const query = (text: string, values: unknown[]) => gateway.context.database.pool.query(text, values);

  /** Inserts `rows` consecutive rows, starting at the hour `atMs`; no worker claims them. */
  async function insertPredictions(accountId: string, status: string, rows: number, atMs: number) {
    const prefix = firstIdAt("prediction", atMs).slice(0, -16);
    await query(
      `insert into predictions (id, account_id, model, api_type, svc_region, status, next_check_at, deadline_at)
       select $2 || lpad(n::text, 16, '0'), $1, 'svc/vid-t2v', 'video-generation', 'us-oregon', $3,
         now() + interval '1 day', now() + interval '1 day'
       from generate_series(1, $4::int) n`,
      [accountId, prefix, status, rows],
    );
  }

  async function insertDeliveries(accountId: string, status: string, rows: number, retriedAs: string | null) {
    const [endpointId, eventId] = [newId("endpoint"), newId("event")];
    const prefix = firstIdAt("delivery", Date.now() - hourMs).slice(0, -16);
    const tail = endpointId.slice(-8);
    await query(
      "insert into webhook_endpoints (id, account_id, url, events) values ($1, $2, 'https://example.com/hook', '{}')",
      [endpointId, accountId],
    );
    await query(
      `insert into webhook_events (id, account_id, type, body, payload_expires_at)
       values ($1, $2, 'prediction.succeeded', '{}', now() + interval '1 day')`,
      [eventId, accountId],
    );
    await query(
      `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, url, status, trigger, retried_as)
       select $2 || $3 || lpad(n::text, 8, '0'), $1, $4, $5, 'prediction.succeeded', 'https://example.com/hook', $6,
         'bulk', $7
       from generate_series(1, $8::int) n`,
      [accountId, prefix, tail, eventId, endpointId, status, retriedAs, rows],
    );
  }

  it("counts every row of each status, not those of one page, and nothing older", async () => {
    await insertDeliveries(account.accountId, "delivered", 10, null);
    await insertDeliveries(account.accountId, "dead-letter", 130, null);
    await insertPredictions(account.accountId, "succeeded", 250, Date.now() - 23 * hourMs);
    await insertPredictions(account.accountId, "failed", 3, Date.now() - 25 * hourMs);
    const summary = await read();
    expect(summary.deliveries).toMatchObject({
      delivered: { count: 10, more: false },
      "dead-letter": { count: 130, more: false },
      pending: { count: 0, more: false },
    });
    expect(summary.predictions).toMatchObject({
      succeeded: { count: 250, more: false },
      failed: { count: 0, more: false },
    });
  });

  it("leaves out deliveries that were retried manually", async () => {
    const { accountId, key } = await gateway.createAccount();
    await insertDeliveries(accountId, "dead-letter", 2, newId("delivery"));
    await insertDeliveries(accountId, "dead-letter", 1, null);
    expect((await read(key)).deliveries?.["dead-letter"]).toEqual({ count: 1, more: false });
  });

  it("is exact up to 10,000, and reports `more` above", async () => {
    const { accountId, key } = await gateway.createAccount();
    await insertPredictions(accountId, "succeeded", 10_000, Date.now() - hourMs);
    expect((await read(key)).predictions?.succeeded).toEqual({ count: 10_000, more: false });
    await insertPredictions(accountId, "succeeded", 5_000, Date.now() - 2 * hourMs);
    expect((await read(key)).predictions?.succeeded).toEqual({ count: 10_000, more: true });
  });

  it("shows people which steps their account has done", async () => {
    const fresh = await gateway.createAccount();
    const steps = async () => (await read(fresh.session)).first_steps;
    expect(await steps()).toMatchObject({ created_key: true, added_endpoint: false, ran_model: false });
    await insertDeliveries(fresh.accountId, "dead-letter", 1, null);
    expect(await steps()).toMatchObject({ added_endpoint: true, received_event: false });
    await query("update webhook_endpoints set last_success_at = now() where account_id = $1", [
      fresh.accountId,
    ]);
    await insertPredictions(fresh.accountId, "succeeded", 1, Date.now() - hourMs);
    expect((await read(fresh.key)).first_steps).toBeNull();
    await vi.waitFor(async () => expect(Object.values((await steps()) ?? {})).toEqual(Array(5).fill(true)));
  });

  it("counts for this account only, and only objects that its key may read", async () => {
    const stranger = await gateway.createAccount();
    expect((await read(stranger.key)).predictions?.succeeded.count).toBe(0);
    const ofPredictions = await gateway.createKey(account.accountId, { scopes: ["predictions"] });
    expect(await read(ofPredictions)).toMatchObject({ deliveries: null, predictions: expect.anything() });
    const ofWebhooks = await gateway.createKey(account.accountId, { scopes: ["webhooks"] });
    expect(await read(ofWebhooks)).toMatchObject({ predictions: null, deliveries: expect.anything() });
    const ofUsage = await gateway.createKey(account.accountId, { scopes: ["usage"] });
    const refused = await call(gateway, ofUsage, "GET", "/summary");
    expect([refused.status, refused.body.error]).toEqual([
      403,
      expect.objectContaining({ code: "insufficient_scope" }),
    ]);
    expect((await call(gateway, null, "GET", "/summary")).status).toBe(401);
  });
});
