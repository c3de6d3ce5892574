import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { newId } from "#contract/ids.ts";
import type { CallbackEvent, CallbackShape } from "#contract/webhook-constants.ts";
import { accountDeletionSweep } from "#gateway/access/accounts/deletion/sweep.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { emitCallback, keepCallback } from "./callbacks.ts";
import { emitEvent } from "./events.ts";
import { canceledCallbackSweep } from "./retention.ts";

const tomorrow = () => new Date(Date.now() + 86_400_000);

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());

const query = async (text: string, ...values: unknown[]) =>
  (await gateway.context.database.pool.query(text, values)).rows;
const send = (method: string, to: string, body?: unknown, bearer = account.key) =>
  call(gateway, bearer, method, to, body);

/** A delivery to an endpoint of its own. */
async function toEndpoint(change?: (id: string) => Promise<unknown>, isTest = false): Promise<string> {
  const type = "prediction.succeeded";
  const made = await send("POST", "/webhooks/endpoints", {
    url: "https://example.com/hook",
    events: ["batch.finished"],
  });
  const id = String(made.body.id);
  await query("update webhook_endpoints set events = array[$2] where id = $1", id, type);
  const emitted = await gateway.context.database.transaction((queries) =>
    emitEvent(queries, {
      accountId: account.accountId,
      ...(isTest
        ? { type: "endpoint.test", subject: { endpointId: id } }
        : { type, subject: { predictionId: newId("prediction") } }),
      ...{ object: {}, retentionUntil: tomorrow() },
    }),
  );
  await query("update webhook_endpoints set events = '{}' where id = $1", id);
  await later();
  await change?.(id);
  return emitted?.deliveryIds[0] ?? "";
}

/** Keeps the workers away: nothing is due. */
const later = () =>
  query(`update webhook_deliveries set next_attempt_at = now() + interval '1 hour', lease_owner = null
    where next_attempt_at is not null`);

async function toCallback(
  shape: CallbackShape,
  event: CallbackEvent = "completed",
  { accountId } = account,
): Promise<string> {
  const { context } = gateway;
  const subjectId = newId("prediction");
  await context.database.transaction(async (queries) => {
    const url = "https://example.com/in";
    const callback = { url, origin: "https://example.com", shape, events: [event] };
    await keepCallback(context, queries, accountId, subjectId, callback);
    await emitCallback(context, queries, {
      ...{ subjectId, accountId, predictionId: subjectId, models: [], event, once: `${subjectId} ${event}` },
      ...{ type: "prediction.succeeded", object: () => ({}), retentionUntil: tomorrow() },
      ...{ traceParent: null, isLast: true },
    });
  });
  await later();
  const [row] = await query("select id from webhook_deliveries where prediction_id = $1", subjectId);
  return row.id;
}

const patch = (body: object) => (id: string) => send("PATCH", `/webhooks/endpoints/${id}`, body);
const set = (status: string) => (id: string) =>
  query("update webhook_endpoints set status = $2 where id = $1", id, status);

const kinds: [string, () => Promise<string>][] = [
  ["an enabled endpoint", () => toEndpoint()],
  ["a test event", () => toEndpoint(undefined, true)],
  ["a paused endpoint", () => toEndpoint(patch({ status: "paused" }))],
  ["a disabled endpoint", () => toEndpoint(patch({ status: "disabled" }))],
  ["an endpoint that failed for days", () => toEndpoint(set("auto-disabled"))],
  ["a callback of a run", () => toCallback("event")],
  ["a callback of a response in the background", () => toCallback("event")],
  ["a webhook in Replicate's shape", () => toCallback("prediction")],
  ["the start of a run in Replicate's shape", () => toCallback("prediction", "start")],
];
const states: [string, string][] = [
  ["pending", "status = 'pending', next_attempt_at = now() + interval '1 hour'"],
  ["failed, attempts left", "status = 'failed', attempts = 3, next_attempt_at = now() + interval '1 hour'"],
  ["waiting", "status = 'waiting', next_attempt_at = null"],
];

it("all sweeps together cancel the deliveries of deleted endpoints, and no other", async () => {
  const made = new Map<string, string>();
  for (const [state, columns] of states) {
    for (const [kind, make] of kinds) {
      const id = await make();
      await query(`update webhook_deliveries set ${columns} where id = $1`, id);
      made.set(id, `${state}, to ${kind}`);
    }
    const id = await toEndpoint((one) =>
      query("update webhook_endpoints set deleted_at = now() where id = $1", one),
    );
    await query(`update webhook_deliveries set ${columns} where id = $1`, id);
    made.set(id, `${state}, deleted`);
  }
  for (const sweep of gateway.context.sweeps) await sweepAll(gateway.context, sweep);
  const rows = await query("select id from webhook_deliveries where status = 'canceled'");
  expect(rows.map(({ id }) => made.get(id)).sort()).toEqual(
    states.map(([state]) => `${state}, deleted`).sort(),
  );
});

it("callbacks can be retried and sent again by hand", async () => {
  const [failed, delivered] = [await toCallback("event"), await toCallback("event")];
  await query(
    "update webhook_deliveries set status = 'dead-letter', next_attempt_at = null where id = $1",
    failed,
  );
  await query(
    "update webhook_deliveries set status = 'delivered', next_attempt_at = null where id = $1",
    delivered,
  );
  for (const sweep of gateway.context.sweeps) await sweepAll(gateway.context, sweep);
  expect((await send("POST", `/webhooks/deliveries/${failed}/retry`)).status).toBe(202);
  expect((await send("POST", `/webhooks/deliveries/${delivered}/resend`)).status).toBe(202);
});

it("callbacks that an earlier release canceled are sent once more, and their owners are notified", async () => {
  const cancel = async (id: string, then = "") => {
    await query(
      "update webhook_deliveries set status = 'canceled', next_attempt_at = null where id = $1",
      id,
    );
    if (then) await query(then, id);
    return id;
  };
  const leaving = await gateway.createAccount();
  const closed = await gateway.createAccount();
  const lost = [await cancel(await toCallback("event")), await cancel(await toCallback("prediction"))];
  const gone = await cancel(
    await toCallback("event"),
    "update webhook_events e set body = null from webhook_deliveries d where d.id = $1 and e.id = d.event_id",
  );
  const left = await cancel(await toCallback("event", "completed", leaving));
  const barred = await cancel(await toCallback("event", "completed", closed));
  const deleted = await toEndpoint((one) => send("DELETE", `/webhooks/endpoints/${one}`));
  await query("update accounts set callback_hosts = '{other.example.com}' where id = $1", closed.accountId);
  await query(
    `insert into account_deletions (account_id, requested_by, due_at) values ($1, $2, now() + interval '7 days')`,
    leaving.accountId,
    leaving.userId,
  );
  // Written by the earlier release.
  await query("update webhook_endpoints set requeued_until = null where status = 'callback'");
  await Promise.all([1, 2, 3].map(() => sweepAll(gateway.context, canceledCallbackSweep)));
  await sweepAll(gateway.context, canceledCallbackSweep);
  await later();
  const again = await query(
    "select retry_of, endpoint_id, url from webhook_deliveries where retry_of = any ($1)",
    [...lost, gone, left, barred, deleted],
  );
  expect(again.map(({ retry_of }) => retry_of).sort()).toEqual([...lost].sort());
  expect(again[0].url).toBe("https://example.com/in");
  await expect
    .poll(
      async () =>
        (await send("GET", "/notices?cause=callbacks.requeued", undefined, account.session)).body.data,
    )
    .toMatchObject([{ cause: "callbacks.requeued", title: "Callbacks to example.com are sent again" }]);
  // A process of the earlier release that still runs also cancels those of hosts that are new.
  const fresh = await gateway.createAccount();
  const early = await cancel(await toCallback("event", "completed", fresh));
  await sweepAll(gateway.context, canceledCallbackSweep);
  expect(await query("select from webhook_deliveries where retry_of = $1", early)).toHaveLength(1);
  // Its list for service keys fails at a cause that it does not know.
  expect((await send("GET", "/notices?cause=callbacks.requeued")).body.data).toEqual([]);
  // After an update nothing cancels callbacks any more, and nothing looks for canceled ones.
  await query("update webhook_endpoints set requeued_until = now() where status = 'callback'");
  const late = await cancel(await toCallback("event"));
  await sweepAll(gateway.context, canceledCallbackSweep);
  expect(await query("select from webhook_deliveries where retry_of = $1", late)).toEqual([]);
});

it("an account that is being deleted sends no callbacks", async () => {
  const leaving = await gateway.createAccount();
  const id = await toCallback("event", "completed", leaving);
  await query(
    "insert into account_deletions (account_id, requested_by, due_at) values ($1, $2, now())",
    leaving.accountId,
    leaving.userId,
  );
  await accountDeletionSweep.run(gateway.context);
  const [hidden] = await query(
    "select status from webhook_endpoints where account_id = $1 and callback_host <> ''",
    leaving.accountId,
  );
  expect(hidden?.status ?? "disabled").toBe("disabled");
  await expect
    .poll(async () => {
      for (const sweep of gateway.context.sweeps) await sweep.run(gateway.context);
      return query("select status from webhook_deliveries where id = $1 and status <> 'canceled'", id);
    })
    .toEqual([]);
});

it("no query reads itself whether an endpoint was deleted", () => {
  const folder = path.join(import.meta.dirname, "../..");
  const reading = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|testing\/|database\/tables\//.test(file))
    .filter((file) => {
      const text = readFileSync(path.join(folder, file), "utf8");
      return /webhookEndpoints\.deletedAt|webhook_endpoints[^`]{0,80}\bdeleted_at is/.test(text);
    });
  expect(reading).toEqual([]);
});
