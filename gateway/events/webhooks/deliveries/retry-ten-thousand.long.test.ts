import { beforeAll, expect, test } from "vitest";
import type { BulkRetryResult } from "#contract/webhook.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { startScene } from "../testing/scene.ts";

const deadLetters = 10_000;
const perCall = 1000;
/** The fastest of ten pages shows the cost of a page, however busy the machine is. */
const quickEnoughMs = 2_000;

const scene = shared(() => startScene({}, { worker: false }));
beforeAll(async () => {
  const endpoint = await scene.createEndpoint();
  const { pool } = scene.context.database;
  await pool.query(
    `insert into webhook_events (id, account_id, type, body, payload_expires_at)
     select 'evt_' || n, $1, 'prediction.succeeded', '{}', now() + interval '1 day' from generate_series(1, $2::int) n`,
    [scene.account.accountId, deadLetters],
  );
  await pool.query(
    `insert into webhook_deliveries (id, account_id, event_id, endpoint_id, event_type, url, status, attempts)
     select 'dlv_01k' || lpad(n::text, 23, '0'), $1, 'evt_' || n, $3, 'prediction.succeeded', $4, 'dead-letter', 8
     from generate_series(1, $2::int) n`,
    [scene.account.accountId, deadLetters, endpoint.id, endpoint.url],
  );
});

const retry = async (dryRun: boolean) => {
  const input = { filter: { status: "dead-letter" }, ...(dryRun && { dry_run: true }) };
  const { status, body } = await scene.call("POST", "/webhooks/deliveries/retry", input);
  expect(status).toBe(200);
  return body as unknown as BulkRetryResult;
};

test("ten thousand dead letters are retried, page by page, each once", async () => {
  expect(await retry(true)).toMatchObject({ matched: deadLetters, retryable: deadLetters, has_more: true });
  const pagesMs: number[] = [];
  const seen = new Set<string>();
  for (let left = deadLetters; left > 0; left -= perCall) {
    const startedMs = performance.now();
    const page = await retry(false);
    pagesMs.push(performance.now() - startedMs);
    expect(page).toMatchObject({
      matched: deadLetters,
      retryable: left,
      retried: perCall,
      has_more: left > perCall,
    });
    for (const { id, delivery_id, code } of page.results) {
      expect([delivery_id === null, code]).toEqual([false, null]);
      seen.add(id);
    }
  }
  // Deliveries that were already retried do not slow pages down.
  for (const half of [pagesMs.slice(0, 5), pagesMs.slice(5)])
    expect(Math.min(...half)).toBeLessThan(quickEnoughMs);
  expect(seen.size).toBe(deadLetters);
  expect(await retry(false)).toMatchObject({
    matched: deadLetters,
    retryable: 0,
    retried: 0,
    has_more: false,
  });
  const { rows } = await scene.context.database.pool.query(
    `select count(*)::int as made, count(distinct event_id)::int as events, count(distinct retry_of)::int as originals
     from webhook_deliveries where trigger = 'bulk' and status = 'pending' and next_attempt_at is not null`,
  );
  expect(rows).toEqual([{ made: deadLetters, events: deadLetters, originals: deadLetters }]);
});
