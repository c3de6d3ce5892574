import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { firstIdAt } from "#contract/ids.ts";
import { reservedFileSweep } from "#gateway/files/storage/remove-files.ts";
import { uploadSweep } from "#gateway/files/uploads/expire.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { predictionSweep } from "#gateway/runs/predictions/remove-data.ts";
import {
  call,
  refusal,
  startTestGateway,
  type TestAccount,
  type TestGateway,
} from "#gateway/testing/gateway.ts";
import { keptOutputSweep } from "#gateway/workspace/library/library.ts";
import { accountDeletionSweep } from "./sweep.ts";

let gateway: TestGateway;
let stays: TestAccount;
beforeAll(async () => {
  gateway = await startTestGateway();
  // The first user becomes an operator.
  stays = await gateway.createAccount();
});
afterAll(() => gateway.close());

const path = "/account/deletion";
const nameOf = async (account: TestAccount) =>
  String((await call(gateway, account.session, "GET", "/account")).body.name);
const order = async (account: TestAccount) =>
  call(gateway, account.session, "POST", path, { name: await nameOf(account) });
const sql = async (text: string, values: unknown[] = []) =>
  (await gateway.context.database.pool.query(text, values)).rows;
const endWeek = (accountId: string) =>
  sql("update account_deletions set due_at = now() - interval '1 second' where account_id = $1", [accountId]);

/**
 * The names of tables that have rows of an account or of its people, except those of some minutes: rates, slots, and the
 * load of the last hour.
 */
async function tablesWith(ids: string[]): Promise<string[]> {
  const columns = await sql(`
    select table_name as name, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb')
      and table_name not in ('account_deletions', 'limit_rates', 'limit_slots', 'process_loads')
      and table_name not in (select inhrelid::regclass::text from pg_inherits)`);
  const found = new Set<string>();
  for (const { name, column } of columns)
    for (const id of ids) {
      const [row] = await sql(
        `select 1 from "${name}" where "${column}"::text like '%' || $1 || '%' limit 1`,
        [id],
      );
      if (row) found.add(`${name}.${column}`);
    }
  return [...found].sort();
}

/** Requests are logged a moment after their answer. */
function nothingIsLeft(ids: string[]): Promise<void> {
  return vi.waitFor(async () => {
    await sweepAll(gateway.context, accountDeletionSweep);
    expect(await tablesWith(ids)).toEqual([]);
  });
}

/** Creates rows and files of many kinds; returns the URL of a file. */
async function work(account: TestAccount): Promise<string> {
  const send = async (bearer: string, method: string, to: string, body?: unknown) => {
    const answer = await call(gateway, bearer, method, to, body);
    expect(answer.status, `${to}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const { key, session } = account;
  await send(session, "POST", "/webhooks/endpoints", { url: "https://nowhere.example.com/" });
  await send(session, "PATCH", "/account", { contents: { keep: "all" } });
  await send(session, "POST", "/account/invitations", { email: "a@example.com", role: "viewer" });
  await send(key, "POST", "/chat/completions", {
    model: "svc/chat-1",
    messages: [{ role: "user", content: "Hello" }],
  });
  await send(key, "POST", "/uploads", { content_type: "image/png", size_bytes: 1000 });
  const picture = { prompt: "waves", quality: "low", size: "1024x1024", output_format: "png" };
  const made = await send(key, "POST", "/images/generations", { model: "svc/img-gen-b", ...picture });
  await send(key, "POST", "/audio/speech", { model: "svc/tts-b-1", input: "Hello" });
  const ended = await vi.waitFor(async () => {
    const prediction = await send(key, "GET", `/predictions/${made.id}`);
    expect(prediction.status).toBe("succeeded");
    return prediction;
  });
  const [output] = (await send(key, "GET", `/outputs?prediction_id=${made.id}`)).data as { id: string }[];
  await send(key, "POST", `/outputs/${output?.id}/keep`, { labels: ["waves"] });
  await send(session, "POST", `/predictions/${made.id}/notes`, { text: "These are the waves." });
  for (const list of ["/requests", "/webhooks/deliveries"])
    await vi.waitFor(async () => expect((await send(key, "GET", list)).data).not.toEqual([]));
  return String([ended.output].flat()[0]);
}

test("an account is deleted with its files and people a week after its owner orders it; other accounts stay", async () => {
  const account = await gateway.createAccount();
  const alone = await gateway.addMember(account, "member");
  const both = await gateway.addMember(account, "admin");
  await gateway.addMember(stays, "viewer", both);
  await gateway.attest(account, "adult");
  const file = await work(account);
  const kept = await work(stays);
  await gateway.context.contents.flush();
  // The first row of another day's partition, as the other account's is of its own.
  const tomorrow = firstIdAt("generation", Date.now() + 86_400_000);
  await sql("update contents set id = $1 where id = (select min(id) from contents where account_id = $2)", [
    tomorrow,
    stays.accountId,
  ]);
  expect((await order(account)).status).toBe(201);
  // The week is not over.
  await sweepAll(gateway.context, accountDeletionSweep);
  expect((await call(gateway, account.session, "GET", "/predictions")).body.data).toHaveLength(1);

  await endWeek(account.accountId);
  await finish(account.accountId);

  await nothingIsLeft([account.accountId, account.userId, alone.userId]);
  expect((await fetch(file)).status).toBe(410);
  for (const bearer of [account.session, account.key, alone.session])
    expect((await call(gateway, bearer, "GET", "/account")).status).toBe(401);
  expect((await call(gateway, both.session, "GET", "/account")).body).toMatchObject({ id: stays.accountId });
  expect((await fetch(kept)).status).toBe(200);
  expect((await call(gateway, stays.key, "GET", "/predictions")).body.data).toHaveLength(1);
  const left = await sql("select account_id, id from contents order by id desc");
  expect(left).toMatchObject([{ id: tomorrow }, { account_id: stays.accountId }]);
  const [record] = await sql("select * from account_deletions where account_id = $1", [account.accountId]);
  expect(record).toMatchObject({ requested_by: account.userId, contents: { members: 3, predictions: 1 } });
  expect(record.finished_at).not.toBeNull();
}, 60_000);

test("the files of a run that ended after its step are removed too, and counted", async () => {
  const account = await gateway.createAccount();
  const { accountId } = account;
  await order(account);
  const key = `outputs/late-${accountId}/1.png`;
  await gateway.context.store.put(key, Buffer.from("late"), { contentType: "image/png" });
  await sql(
    `insert into generations (id, account_id, outputs, expires_at)
     values ($1, $2, $3, now() + interval '1 hour')`,
    [`late-${accountId}`, accountId, JSON.stringify([{ key, sizeBytes: 4 }])],
  );
  // All steps are over.
  await sql(
    "update account_deletions set due_at = now() - interval '1 second', started_at = now(), step = 1000 where account_id = $1",
    [accountId],
  );
  await finish(accountId);

  expect(await gateway.context.store.head(key)).toBeNull();
  const [record] = await sql("select removed from account_deletions where account_id = $1", [accountId]);
  expect(record?.removed).toMatchObject({ generations: 1, accounts: 1 });
}, 60_000);

async function finish(accountId: string): Promise<void> {
  const sweeps = [accountDeletionSweep, keptOutputSweep, predictionSweep, uploadSweep, reservedFileSweep];
  await vi.waitFor(async () => {
    for (const sweep of sweeps) await sweepAll(gateway.context, sweep);
    const [row] = await sql("select finished_at from account_deletions where account_id = $1", [accountId]);
    expect(row?.finished_at).toBeTruthy();
  });
}

test("while deletion is pending the account can be read, nothing new runs, and an owner can cancel the deletion", async () => {
  const account = await gateway.createAccount();
  const viewer = await gateway.addMember(account, "viewer");
  const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
  const run = () => call(gateway, account.key, "POST", "/chat/completions", chat);
  const invited = await call(gateway, account.session, "POST", "/account/invitations", {
    email: "late@example.com",
    role: "viewer",
  });
  expect(await call(gateway, account.session, "POST", path, { name: "Another" })).toMatchObject(
    refusal(400, "invalid_parameter"),
  );
  expect((await order(account)).body).toMatchObject({
    deletion: { state: "scheduled" },
    contents: { members: 2, invitations: 1, attestations: 0, presets: 0, conversations: 0, batches: 0 },
  });
  expect(await order(account)).toMatchObject(refusal(409, "deletion_scheduled"));

  expect(await run()).toMatchObject(refusal(403, "account_closing"));
  expect(await call(gateway, account.session, "POST", "/keys", { name: "x" })).toMatchObject(
    refusal(403, "account_closing"),
  );
  const accept = { token: invited.body.token, name: "Late", password: "four words apart" };
  expect(await call(gateway, null, "POST", "/account/invitations/accept", accept)).toMatchObject(
    refusal(403, "account_closing"),
  );
  expect((await call(gateway, viewer.session, "GET", "/predictions")).status).toBe(200);
  expect((await call(gateway, viewer.session, "GET", "/account")).body).toMatchObject({
    deletion: { state: "scheduled", requested_by: { id: account.userId } },
  });
  expect((await call(gateway, viewer.session, "DELETE", path)).status).toBe(403);

  expect((await call(gateway, account.session, "DELETE", path)).status).toBe(200);
  // Other processes are notified a moment later.
  await expect.poll(async () => (await run()).status).toBe(200);
  expect(await call(gateway, account.session, "DELETE", path)).toMatchObject(
    refusal(409, "deletion_not_scheduled"),
  );
  const { body } = await call(gateway, account.session, "GET", "/audit_logs");
  expect((body.data as { action: string }[]).slice(0, 2).map(({ action }) => action)).toEqual([
    "account.deletion_canceled",
    "account.deletion_scheduled",
  ]);
});

test("once deletion has begun it cannot be canceled, and continues after the last batch when a process dies", async () => {
  // Without a worker, whose sweep would take batches too.
  const whole = gateway;
  const alone = await startTestGateway({ role: "api" });
  gateway = alone;
  onTestFinished(async () => {
    gateway = whole;
    await alone.close();
  });
  // The first user becomes an operator.
  await gateway.createAccount();
  const account = await gateway.createAccount();
  await sql(
    `insert into request_logs (id, account_id, at, method, route, status, duration_ms)
     select 'req_' || n, $1, now(), 'GET', '/x', 200, 1 from generate_series(1, 2500) n`,
    [account.accountId],
  );
  await order(account);
  await endWeek(account.accountId);
  const { credentials } = gateway.context;
  credentials.forget(account.userId);
  const progress: number[] = [];
  // Each run has a separate transaction, as if another process made it.
  while (await accountDeletionSweep.run(gateway.context)) {
    credentials.forget(account.userId);
    const { status, body } = await call(gateway, account.session, "GET", "/account");
    if (status === 200) progress.push((body.deletion as { progress: number }).progress);
    if (progress.length === 1)
      expect(await call(gateway, account.session, "DELETE", path)).toMatchObject(
        refusal(403, "account_closing"),
      );
  }
  expect(new Set(progress).size).toBeGreaterThan(2);
  expect(progress.at(-1)).toBeGreaterThan(0.99);
  await nothingIsLeft([account.accountId, account.userId]);
});

test("at least one operator must remain", async () => {
  expect(await order(stays)).toMatchObject(refusal(409, "last_operator"));
});
