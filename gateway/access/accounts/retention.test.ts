import { afterEach, describe, expect, it } from "vitest";
import { newId } from "#contract/ids.ts";
import type { AttemptResult } from "#gateway/events/webhooks/deliver/attempt-result.ts";
import { emitEvent } from "#gateway/events/webhooks/events.ts";
import { purgeSent } from "#gateway/events/webhooks/retention.ts";
import { verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { retentionSweep } from "#gateway/platform/database/apply-retention.ts";
import { openRetention } from "#gateway/platform/database/retention.ts";
import { batchInputSweep } from "#gateway/runs/batches/sweeps.ts";
import { predictionSweep } from "#gateway/runs/predictions/remove-data.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, refusal, sender, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";
import { keptOutputSweep } from "#gateway/workspace/library/library.ts";

const gateway = shared(() => startTestGateway({ shortestRetentionMinutes: 10 }));
const operator = shared(() => gateway.createAccount());
const account = shared(() => gateway.createAccount());
const send = sender(() => gateway);
const query = async (text: string, ...values: unknown[]) =>
  (await gateway.context.database.pool.query(text, values)).rows;

const choose = (minutes: number | null, more = {}, of: TestAccount = account) =>
  send(of.session, "PATCH", "/account", { retention_minutes: minutes, ...more });
const picture = { model: "svc/img-gen-a-1", prompt: "a lighthouse", size: "256x256" };
const chat = { model: "svc/chat-1", input: "Hello" };
const preset = { name: "mine", model: picture.model, api_type: "image-generation", input: { prompt: "a" } };
const conversation = {
  name: "mine",
  model: "svc/chat-1",
  contents: { settings: {}, messages: [], current: null, system: null, second_current: null },
};

describe("the retention of one account", () => {
  afterEach(() => choose(null));

  it.each([
    [9, "minutes"],
    [1_440, "1440 minutes"],
    [10.5, "whole number"],
  ])("is not %s minutes", async (minutes, words) => {
    const answer = await choose(minutes);
    expect(answer).toMatchObject(refusal(400, "invalid_parameter"));
    expect(JSON.stringify(answer.body)).toContain(words);
  });

  it("is at least what the operator set for the account, and a longer one than now is always allowed", async () => {
    const { accountId } = account;
    const limit = (minutes: number | null) =>
      send(operator.session, "PATCH", `/operator/accounts/${accountId}/limits`, {
        shortest_retention_minutes: minutes,
        reason: "trial",
      });
    await choose(20);
    await limit(30);
    expect(await choose(19)).toMatchObject(refusal(400, "invalid_parameter"));
    expect(await choose(25)).toMatchObject({ status: 200, body: { retention_minutes: 25 } });
    await limit(null);
    expect(await choose(19)).toMatchObject({ status: 200 });
    const [logged] = (await send(account.session, "GET", "/audit_logs?limit=1")).body.data as object[];
    expect(logged).toMatchObject({ action: "account.updated", detail: { retention_minutes: 19 } });
  });

  it("is only changed by those who manage the account, and none is offered where no operator allows it", async () => {
    const viewer = await gateway.addMember(account, "admin");
    expect(await send(viewer.session, "PATCH", "/account", { retention_minutes: 10 })).toMatchObject(
      refusal(403, "role_not_allowed"),
    );
    Object.assign(gateway.context.config, { shortestRetentionMinutes: null });
    expect(await choose(30)).toMatchObject(refusal(400, "invalid_parameter"));
    Object.assign(gateway.context.config, { shortestRetentionMinutes: 10 });
  });

  it("is the time of everything that is stored from then on, and answers say so", async () => {
    await choose(10);
    const lastsFor = (from: unknown, to: unknown) =>
      (Date.parse(String(to)) - Date.parse(String(from))) / 60_000;
    const run = await call(
      gateway,
      account.key,
      "POST",
      "/videos/generations",
      { model: "svc/vid-t2v", prompt: "waves", duration: 2 },
      { prefer: "wait=50" },
    );
    expect(run.body.status).toBe("succeeded");
    expect(lastsFor(run.body.completed_at, run.body.expires_at)).toBe(10);
    await send(account.key, "POST", "/images/generations", picture);
    const [output] = (await send(account.key, "GET", "/outputs?limit=1")).body.data as Record<
      string,
      unknown
    >[];
    expect(lastsFor(output?.created_at, output?.expires_at)).toBeCloseTo(10, 0);
    expect(output?.keepable).toBe(false);
    const upload = await verifiedUpload(gateway, account.key);
    const stored = (await send(account.key, "GET", `/uploads/${upload.id}`)).body;
    expect(lastsFor(stored.created_at, stored.object_expires_at)).toBeCloseTo(10, 0);
    const once = { "idempotency-key": "once" };
    await call(gateway, account.key, "POST", "/responses", chat, once);
    const within = "expires_at <= now() + interval '10 minutes'";
    for (const table of ["responses", "idempotency_keys", "generations", "outputs"])
      expect(
        await query(`select ${within} as within from ${table} where account_id = $1`, account.accountId),
        table,
      ).not.toContainEqual({ within: false });
    expect(
      await query(
        `select payload_expires_at <= now() + interval '10 minutes' as within from webhook_events
         where type like 'prediction.%' and account_id = $1`,
        account.accountId,
      ),
    ).not.toContainEqual({ within: false });
  }, 90_000);

  it("applies to what was stored before, and to no other account", async () => {
    const [own, other] = await Promise.all([gateway.createAccount(), gateway.createAccount()]);
    for (const { key } of [own, other]) {
      await call(gateway, key, "POST", "/images/generations", picture, { "idempotency-key": "once" });
      await send(key, "POST", "/responses", chat);
      await verifiedUpload(gateway, key);
      await gateway.context.database.transaction(async (queries) => {
        const { accountId } = key === own.key ? own : other;
        const retentionUntil = new Date(Date.now() + 86_400_000);
        const event = { type: "prediction.succeeded", subject: { predictionId: "pred_1" } } as const;
        await emitEvent(queries, { accountId, ...event, object: {}, retentionUntil });
      });
    }
    await choose(10, {}, own);
    // No worker ran for an hour.
    const ago = "now() - interval '1 hour'";
    await query(`update accounts set retention_changed_at = ${ago} where id = $1`, own.accountId);
    await sweepAll(gateway.context, retentionSweep);
    expect(
      await query("select retention_changed_at as left from accounts where id = $1", own.accountId),
    ).toEqual([{ left: null }]);
    const tables = ["generations", "outputs", "responses", "uploads", "webhook_events", "idempotency_keys"];
    const columns: Record<string, string> = {
      uploads: "object_expires_at",
      webhook_events: "payload_expires_at",
    };
    for (const table of tables)
      expect(
        await query(
          `select distinct account_id = $1 as own, ${columns[table] ?? "expires_at"} <= now() + interval '10 minutes' as soon
           from ${table} where account_id = any ($2) order by 1`,
          own.accountId,
          [own.accountId, other.accountId],
        ),
        table,
      ).toEqual([
        { own: false, soon: false },
        { own: true, soon: true },
      ]);
  });

  it("removes what is kept only when the caller says so, and nothing can be kept then", async () => {
    const own = await gateway.createAccount();
    await send(own.key, "POST", "/images/generations", picture);
    const [output] = (await send(own.key, "GET", "/outputs?limit=1")).body.data as { id: string }[];
    const keeping: [string, string, object, string][] = [
      ["POST", "/presets", preset, "A preset"],
      ["POST", "/conversations", conversation, "A saved conversation"],
      ["POST", `/outputs/${output?.id}/keep`, {}, "A kept output"],
      ["PATCH", "/account", { contents: { keep: "all", days: 1 } }, "Contents of calls"],
    ];
    for (const [method, path, body] of keeping)
      expect((await send(own.session, method, path, body)).status, path).toBeLessThan(300);
    const asked = await choose(10, {}, own);
    expect(asked).toMatchObject(refusal(409, "retention_removes_kept"));
    expect(JSON.stringify(asked.body)).toContain(
      "1 kept output, 1 preset, 1 conversation, contents of calls",
    );
    const { details } = asked.body.error as { details: { keyword: string }[] };
    expect(details.map(({ keyword }) => keyword)).toEqual([
      "kept_outputs",
      "presets",
      "conversations",
      "contents",
    ]);
    expect(await choose(10, { remove_kept: true }, own)).toMatchObject({
      body: { retention_minutes: 10, contents: { keep: "off" } },
    });
    await sweepAll(gateway.context, keptOutputSweep);
    for (const table of ["presets", "conversations", "kept_outputs"])
      expect(await query(`select from ${table} where account_id = $1`, own.accountId), table).toEqual([]);
    for (const [method, path, body, what] of keeping) {
      const refused = await send(own.session, method, path, body);
      expect(refused, path).toMatchObject(refusal(403, "shorter_retention"));
      expect(JSON.stringify(refused.body)).toContain(what);
      expect(JSON.stringify(refused.body)).toContain("10 minutes");
    }
    expect(await send(own.session, "PATCH", "/account", { remove_kept: true })).toMatchObject(
      refusal(400, "invalid_parameter"),
    );
  });

  it("keeps only the codes of failures, whose words may quote the input", async () => {
    const own = await gateway.createAccount();
    await choose(10, {}, own);
    const failure = { code: "content_policy_violation", message: "no herons", type: "content_policy_error" };
    const timeline = [{ at: "", event: "failed", detail: { code: failure.code, message: failure.message } }];
    const id = newId("prediction");
    await query(
      `insert into predictions (id, account_id, model, api_type, svc_region, status, error, timeline, deadline_at,
         completed_at, expires_at) values ($1, $2, 'svc/vid-t2v', 'video-generation', 'us-virginia', 'failed', $3, $4,
         now(), now(), now())`,
      id,
      own.accountId,
      failure,
      JSON.stringify(timeline),
    );
    const batch = newId("batch");
    await query(
      `insert into batches (id, account_id, model, api_type, billing_unit, status, concurrency, columns, deadline_at,
         expires_at) values ($1, $2, 'svc/chat-1', 'chat-completions', 'token', 'finished', 1, '[]', now(), now())`,
      batch,
      own.accountId,
    );
    await query(
      "insert into batch_rows (batch_id, row, model, status, error) values ($1, 1, 'svc/chat-1', 'failed', $2)",
      batch,
      failure,
    );
    await sweepAll(gateway.context, predictionSweep);
    await sweepAll(gateway.context, batchInputSweep);
    const left = [
      ...(await query("select error, timeline from predictions where id = $1", id)),
      ...(await query("select error from batch_rows where batch_id = $1", batch)),
    ];
    expect(left.map(({ error }) => error.code)).toEqual([failure.code, failure.code]);
    expect(JSON.stringify(left)).not.toContain("herons");
    const asked = await send(own.key, "POST", "/chat/completions", { model: "herons", messages: [] });
    const logged = async () =>
      query(
        "select code, failure from request_logs where id = $1",
        String(asked.headers.get("x-request-id")),
      );
    await expect.poll(logged).toEqual([{ code: expect.any(String), failure: null }]);
  });

  it("ends the bodies of payloads once all their deliveries were delivered or are dead", async () => {
    const { context } = gateway;
    const own = await gateway.createAccount();
    for (const path of ["one", "two"])
      await send(own.key, "POST", "/webhooks/endpoints", {
        url: `https://example.com/${path}`,
        events: ["batch.finished"],
      });
    const emit = () =>
      context.database.transaction((queries) =>
        emitEvent(queries, {
          accountId: own.accountId,
          type: "batch.finished",
          subject: { batchId: "batch_1" },
          object: {},
          retentionUntil: new Date(Date.now() + 86_400_000),
        }),
      );
    const end = async (event: string, status: string, count: number) => {
      await query(
        `update webhook_deliveries set status = $2, next_attempt_at = null where id = any (array(
           select id from webhook_deliveries where event_id = $1 and status <> 'delivered' limit $3))`,
        event,
        status,
        count,
      );
      await purgeSent(context, [
        { change: { next: status }, accountId: own.accountId, eventId: event } as unknown as AttemptResult,
      ]);
      return query("select body is null as gone from webhook_events where id = $1", event);
    };
    const before = (await emit())?.id ?? "";
    expect(await end(before, "delivered", 2)).toEqual([{ gone: false }]);
    await choose(10, {}, own);
    const event = (await emit())?.id ?? "";
    expect(await end(event, "delivered", 1)).toEqual([{ gone: false }]);
    expect(await end(event, "dead-letter", 1)).toEqual([{ gone: true }]);
  });
});

it("without extensions, the time of the installation applies to all", async () => {
  const own = await gateway.createAccount();
  await choose(10, {}, own);
  const { config } = gateway.context;
  const retention = await openRetention({ ...gateway.context, config: { ...config, extensions: false } });
  expect(gateway.context.retention.of(own.accountId)).toBe(600_000);
  expect(retention.of(own.accountId)).toBe(config.retentionMs);
  expect(retention.minutesOf(own.accountId)).toBeNull();
  retention.close();
});
