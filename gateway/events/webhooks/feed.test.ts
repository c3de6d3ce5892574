import { expect, test } from "vitest";
import type { EventFeed } from "#contract/event-types.ts";
import { newId } from "#contract/ids.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { emitEvent } from "./events.ts";
import { settleRestored } from "./feed.ts";
import { startScene } from "./testing/scene.ts";

const scene = shared(() => startScene({}, { worker: false }));

async function read(query: Record<string, string> = {}, of = scene): Promise<EventFeed> {
  const { status, body } = await of.call("GET", `/events?${new URLSearchParams(query)}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as unknown as EventFeed;
}

/** Reads until the feed has no more events. */
async function readAll(after?: string, query: Record<string, string> = {}, of = scene) {
  const ids: string[] = [];
  let cursor = after;
  for (;;) {
    const page = await read({ ...query, ...(cursor !== undefined && { after: cursor }) }, of);
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.cursor;
    if (!page.has_more) return { ids, cursor };
  }
}

/**
 * Reads until this many events have come: other transactions in this database may delay them for a moment.
 */
async function readMore(after: string, count: number, query: Record<string, string> = {}, of = scene) {
  const ids: string[] = [];
  let cursor = after;
  await expect
    .poll(async () => {
      const page = await readAll(cursor, query, of);
      cursor = page.cursor;
      return ids.push(...page.ids);
    })
    .toBe(count);
  return { ids, cursor };
}

const newEvent = () => ({
  accountId: scene.account.accountId,
  type: "prediction.succeeded" as const,
  subject: { predictionId: newId("prediction") },
  object: { id: "pred_1", object: "prediction", model: "svc/vid-t2v" },
  retentionUntil: new Date(Date.now() + 86_400_000),
});

test("an event that commits late is listed late, and never skipped", async () => {
  const { database } = scene.context;
  const { cursor } = await readAll();
  let late = "";
  const isWritten = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const slow = database.transaction(async (queries) => {
    late = (await emitEvent(queries, newEvent()))?.id ?? "";
    isWritten.resolve();
    await mayCommit.promise;
  });
  await isWritten.promise;
  const quick = [(await scene.emit()).id, (await scene.emit()).id];
  // Events committed meanwhile are held back behind the running transaction, whose events come first.
  const before = await readAll(cursor);
  expect(before.ids).toEqual([]);
  mayCommit.resolve();
  await slow;
  const after = await readMore(before.cursor, 3);
  expect(after.ids).toEqual([late, ...quick]);
  expect((await readAll(after.cursor)).ids).toEqual([]);
});

test("with many writers whose transactions overlap every event comes once, page by page", async () => {
  const { database } = scene.context;
  const { cursor } = await readAll();
  const written: string[] = [];
  let isWriting = true;
  const write = async (seed: number) => {
    for (let n = 0; n < 25; n += 1)
      await database.transaction(async (queries) => {
        const event = await emitEvent(queries, newEvent());
        // Some transactions commit much later than they write.
        if ((n + seed) % 5 === 0) await queries.execute("select pg_sleep(0.05)");
        written.push(event?.id ?? "");
      });
  };
  const seen: string[] = [];
  const reader = async () => {
    let at = cursor;
    for (;;) {
      const page = await read({ after: at, limit: "7" });
      seen.push(...page.data.map(({ id }) => id));
      at = page.cursor;
      if (!isWriting && seen.length >= written.length) return;
    }
  };
  const reading = reader();
  await Promise.all(Array.from({ length: 8 }, (_, seed) => write(seed)));
  isWriting = false;
  await reading;
  expect(seen.length).toBe(written.length);
  expect(new Set(seen)).toEqual(new Set(written));
});

test("a page has the same bodies as webhooks; removed events are listed without their data", async () => {
  const { cursor } = await readAll();
  const kept = await scene.emit();
  const gone = await scene.emit();
  await scene.context.database.pool.query("update webhook_events set body = null where id = $1", [gone.id]);
  await readMore(cursor, 2);
  const { data } = await read({ after: cursor });
  expect(data).toMatchObject([
    { id: kept.id, object: "event", type: "prediction.succeeded", data: { object: { id: "pred_1" } } },
    { id: gone.id, object: "event", api_version: "v1", account: scene.account.accountId, data: null },
  ]);
  expect(data[1]?.created).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect((await readMore(kept.id, 1)).ids).toEqual([gone.id]);
});

test("can be filtered by type, and the cursor advances even if nothing matches", async () => {
  const { cursor } = await readAll();
  await scene.emit("prediction.failed");
  await readMore(cursor, 1);
  const first = await read({ after: cursor, type: "prediction.canceled" });
  expect(first.data).toEqual([]);
  expect((await readAll(first.cursor)).ids).toEqual([]);
  const { id } = await scene.emit("prediction.canceled");
  expect((await readMore(first.cursor, 1, { type: "prediction.canceled" })).ids).toEqual([id]);
});

test("another account's events are not listed, and their ids are not valid cursors", async () => {
  const other = await scene.api.createAccount();
  const { id } = await scene.emit("prediction.succeeded", undefined, other.accountId);
  expect((await readAll()).ids).not.toContain(id);
  const { status, body } = await scene.call("GET", `/events?after=${id}`);
  expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: "invalid_cursor" } } });
});

test("an invalid cursor is refused, and so is the cursor of another database", async () => {
  const bad = [
    "",
    "x",
    "1",
    "-1.",
    "1.__proto__",
    "99999999999999999999.",
    "18446744073709551616.",
    "1.'",
    "9".repeat(90),
  ];
  for (const after of bad) {
    const { status, body } = await scene.call("GET", `/events?after=${encodeURIComponent(after)}`);
    expect({ after, status, code: (body.error as { code: string }).code }).toEqual({
      after,
      status: 400,
      code: "invalid_cursor",
    });
  }
  const foreign = await scene.call("GET", "/events?after=18446744073709551615.");
  expect(foreign.body.error).toMatchObject({ code: "invalid_cursor" });
  for (const query of ["limit=0", "limit=1000", "type=no.such", "more=1"])
    expect((await scene.call("GET", `/events?${query}`)).status).toBe(400);
});

test("events restored from another database come first, and hide no new events", async () => {
  const restored = await startScene({}, { worker: false });
  const { database, log } = restored.context;
  const old = [(await restored.emit()).id, (await restored.emit()).id];
  await database.pool.query("update webhook_events set tx = '999999999999'");
  await settleRestored(database, log);
  const { id } = await restored.emit();
  await expect.poll(async () => (await readAll(undefined, {}, restored)).ids).toEqual([...old, id]);
  await restored.close();
});

test("reading the next page costs only as much as the new events", async () => {
  const { pool } = scene.context.database;
  const { rows } = await pool.query<{ "QUERY PLAN": string }>(
    `explain select id from webhook_events where account_id = 'acct_1' and (tx, id) > ('5'::xid8, 'evt_1')
     and tx < pg_snapshot_xmin(pg_current_snapshot()) order by tx, id limit 21`,
  );
  await pool.query("analyze webhook_events");
  expect(rows.map((row) => row["QUERY PLAN"]).join("\n")).not.toMatch(/Sort/);
});
