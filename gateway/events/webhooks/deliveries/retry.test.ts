import { beforeEach, describe, expect, test } from "vitest";
import type { BulkRetryResult, Delivery } from "#contract/webhook.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { webhookPayloadSweep } from "../retention.ts";
import { isDone, startScene } from "../testing/scene.ts";

const scene = shared(startScene);
const endpoint = shared(() => scene.createEndpoint());
beforeEach(() => refuse());

const refuse = () => scene.receiver.answer((_one, response) => response.writeHead(500).end());
const accept = () => scene.receiver.answer((_one, response) => response.writeHead(200).end());

async function deadLetter() {
  const event = await scene.emit();
  return scene.deliveryWhen({ event_id: event.id }, isDone);
}

const retry = (id: string) => scene.call("POST", `/webhooks/deliveries/${id}/retry`);
const bulk = async (body: object) =>
  (await scene.call("POST", "/webhooks/deliveries/retry", body)).body as unknown as BulkRetryResult;

/** The audit entry of a bulk retry. */
async function auditOf(runId: string | null) {
  const { rows } = await scene.context.database.pool.query(
    "select detail from audit_logs where target_id = $1",
    [runId],
  );
  return rows.map(({ detail }) => detail);
}

describe("retrying one delivery", () => {
  test("a dead letter is retried as a new delivery of the same bytes; the old one keeps its status", async () => {
    const old = await deadLetter();
    accept();
    const { status, body, headers } = await retry(old.id);
    expect(status).toBe(202);
    expect(headers.location).toBe(`/v1/webhooks/deliveries/${body.id}`);
    expect(body).toMatchObject({
      status: "pending",
      trigger: "manual",
      retry_of: old.id,
      event_id: old.event_id,
      attempts: 0,
    });
    const again = await scene.deliveryWhen({ id: String(body.id) }, isDone);
    expect(again).toMatchObject({ status: "delivered", attempts: 1 });
    expect(again.attempt_log[0]?.request_body).toBe(old.attempt_log[0]?.request_body);
    expect(await scene.delivery(old.id)).toMatchObject({ status: "dead-letter", retried_as: body.id });
    expect((await retry(again.id)).body.error).toMatchObject({ code: "delivery_not_retryable" });
  });

  test("twenty parallel retries make one delivery", async () => {
    const old = await deadLetter();
    await scene.stopWorker();
    const answers = await Promise.all(Array.from({ length: 20 }, () => retry(old.id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const { body } = await scene.call("GET", `/webhooks/deliveries?event_id=${old.event_id}`);
    expect(body.data).toHaveLength(2);
    await scene.startWorker();
  });

  test("a manual retry ends the schedule of the failed delivery; a retry of that retry replaces it", async () => {
    scene.context.config.webhooks.backoffBaseMs = 60_000;
    const event = await scene.emit();
    const first = await scene.deliveryWhen({ event_id: event.id }, (one) => one.attempts === 1);
    expect(first.next_attempt_at).not.toBeNull();
    const second = (await retry(first.id)).body as unknown as Delivery;
    await scene.deliveryWhen({ id: second.id }, (one) => one.attempts === 1);
    expect(await scene.delivery(first.id)).toMatchObject({
      status: "failed",
      next_attempt_at: null,
      retried_as: second.id,
    });
    expect((await retry(first.id)).body.id).toBe(second.id);
    const third = (await retry(second.id)).body as unknown as Delivery;
    expect(third).toMatchObject({ retry_of: second.id, status: "pending" });
    expect(await scene.delivery(second.id)).toMatchObject({ next_attempt_at: null, retried_as: third.id });
    scene.context.config.webhooks.backoffBaseMs = 10;
  });

  test("an unknown, foreign or purged delivery is refused with a reason, and nothing is sent", async () => {
    const old = await deadLetter();
    const stranger = await scene.api.createAccount();
    const foreign = await scene.api.call(stranger.key, "POST", `/webhooks/deliveries/${old.id}/retry`);
    expect([foreign.status, (await retry("dlv_nope")).status]).toEqual([404, 404]);
    expect((await scene.api.call(stranger.key, "GET", `/webhooks/deliveries/${old.id}`)).status).toBe(404);
    const { pool } = scene.context.database;
    await pool.query("update webhook_events set payload_expires_at = now() where id = $1", [old.event_id]);
    await sweepAll(scene.context, webhookPayloadSweep);
    const purged = await retry(old.id);
    expect([purged.status, purged.body.error]).toMatchObject([410, { code: "payload_purged" }]);
    const shown = await scene.delivery(old.id);
    expect(shown.attempt_log[0]).toMatchObject({
      request_body: null,
      response_body: null,
      response_status: 500,
    });
  });
});

describe("retrying many deliveries", () => {
  test("returns a result for each id", async () => {
    const [one, two] = [await deadLetter(), await deadLetter()];
    accept();
    const done = await deadLetter();
    const ids = [one.id, two.id, done.id, "dlv_nope"];
    expect(await bulk({ ids, dry_run: true })).toMatchObject({
      dry_run: true,
      matched: 3,
      retryable: 2,
      retried: 0,
      results: [],
    });
    const result = await bulk({ ids });
    expect(result).toMatchObject({ matched: 3, retryable: 2, retried: 2, has_more: false });
    expect(result.results.map(({ id, code }) => [id, code])).toEqual([
      [one.id, null],
      [two.id, null],
      [done.id, "delivery_not_retryable"],
      ["dlv_nope", "delivery_not_found"],
    ]);
    const again = await scene.deliveryWhen({ id: result.results[0]?.delivery_id ?? "" }, isDone);
    expect(again).toMatchObject({ status: "delivered", trigger: "bulk", retry_of: one.id });
  });

  test("deliveries that were sent again have their own state, so that the others can be listed and counted", async () => {
    const [old, open] = [await deadLetter(), await deadLetter()];
    accept();
    await retry(old.id);
    const listed = async (query: string) =>
      (
        (await scene.call("GET", `/webhooks/deliveries?status=dead-letter&${query}`)).body.data as Delivery[]
      ).map(({ id }) => id);
    const openOnes = await listed("retried=false");
    expect(openOnes).toContain(open.id);
    expect(openOnes).not.toContain(old.id);
    expect(await listed("retried=true")).toContain(old.id);
    const filter = { status: "dead-letter", event_id: old.event_id };
    expect(await bulk({ filter, dry_run: true })).toMatchObject({ matched: 1, retryable: 0 });
    expect(await bulk({ filter: { ...filter, retried: false }, dry_run: true })).toMatchObject({
      matched: 0,
    });
    const ids = [open.id];
    expect(await bulk({ ids, dry_run: true })).toMatchObject({ retryable: 1, has_more: false });
  });

  test("a retry run that does not exist or has ended cannot be continued", async () => {
    for (const run_id of ["bulk_1", "bulk_01k0000000000000000000000a"]) {
      const { status, body } = await scene.call("POST", "/webhooks/deliveries/retry", { filter: {}, run_id });
      expect([status, body.error]).toMatchObject([400, { param: "run_id" }]);
    }
  });

  test("requires either ids or a filter, and refuses a limit with ids", async () => {
    for (const body of [{}, { ids: ["dlv_x"], filter: {} }, { ids: ["dlv_x"], limit: 1 }]) {
      const { status } = await scene.call("POST", "/webhooks/deliveries/retry", body);
      expect(status).toBe(400);
    }
  });

  test("retries all 2,500 that match a filter in three calls, each event exactly once, even for two callers at once", async () => {
    await scene.stopWorker();
    const { pool } = scene.context.database;
    await pool.query(
      `insert into webhook_events (id, account_id, type, body, payload_expires_at)
       select 'evt_bulk' || n, $1, 'prediction.failed', '{}', now() + interval '1 day' from generate_series(1, 2500) n`,
      [scene.account.accountId],
    );
    await pool.query(
      `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, url, status, attempts)
       select 'dlv_bulk' || n, $1, 'evt_bulk' || n, $2, 'prediction.failed', $3, 'dead-letter', 8
       from generate_series(1, 2500) n`,
      [scene.account.accountId, endpoint.id, endpoint.url],
    );
    // Autovacuum does this after so many new rows; without it the count takes seconds.
    await pool.query("analyze webhook_events, webhook_deliveries, webhook_delivery_keys");
    const filter = { status: "dead-letter", event_type: "prediction.failed" };
    expect(await bulk({ filter, dry_run: true })).toMatchObject({
      matched: 2500,
      retryable: 2500,
      has_more: true,
    });
    const step = await bulk({ filter, limit: 25 });
    expect(step).toMatchObject({ retryable: 2500, retried: 25, has_more: true });
    expect(step.results).toHaveLength(25);
    expect(await bulk({ filter, limit: 25, run_id: step.run_id })).toMatchObject({ run_id: step.run_id });
    expect(await auditOf(step.run_id)).toEqual([{ retried: 50, filter, until: expect.any(String) }]);
    const another = await bulk({ filter, limit: 5 });
    expect(await auditOf(another.run_id)).toEqual([{ retried: 5, filter }]);
    let calls = 0;
    const run = async () => {
      for (let hasMore = true; hasMore; calls += 1) ({ has_more: hasMore } = await bulk({ filter }));
    };
    await Promise.all([run(), run()]);
    expect(calls).toBeLessThanOrEqual(8);
    const { rows } = await pool.query(
      `select count(*)::int as made, count(distinct event_id)::int as events from webhook_deliveries
       where trigger = 'bulk' and event_type = 'prediction.failed'`,
    );
    expect(rows).toEqual([{ made: 2500, events: 2500 }]);
    await scene.call("PATCH", `/webhooks/endpoints/${endpoint.id}`, { status: "disabled" });
    expect(await bulk({ filter })).toMatchObject({ retryable: 0, retried: 0, has_more: false });
  });
});
