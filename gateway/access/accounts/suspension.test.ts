import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { reservedFileSweep } from "#gateway/files/storage/remove-files.ts";
import { uploadSweep } from "#gateway/files/uploads/expire.ts";
import { verifiedUpload } from "#gateway/files/uploads/testing/upload.ts";
import { canonicalJson } from "#gateway/platform/core/canonical-json.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { predictionSweep } from "#gateway/runs/predictions/remove-data.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, refusal, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";
import { createCredentials, forgetAllCredentials } from "./credentials.ts";
import { accountDeletionSweep } from "./deletion/sweep.ts";

const gateway = shared(() => startTestGateway());
/** The first user becomes an operator. */
const operator = shared(() => gateway.createAccount());

const ask = (bearer: string, method: string, to: string, body?: object) =>
  call(gateway, bearer, method, to, body);
const asOperator = (method: string, to: string, body?: object) =>
  ask(operator.session, method, `/operator/${to}`, body);
const rows = async (text: string, values: unknown[] = []) =>
  (await gateway.context.database.pool.query(text, values)).rows;
const picture = {
  ...{ model: "svc/img-gen-b", prompt: "waves", quality: "low" },
  ...{ size: "1024x1024", output_format: "png" },
};
const reason = "Unpaid since March. Write to billing@example.com.";

const suspend = async ({ accountId }: TestAccount) => {
  const { status, body } = await asOperator("POST", `accounts/${accountId}/suspension`, { reason });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const lift = ({ accountId }: TestAccount) => asOperator("DELETE", `accounts/${accountId}/suspension`);

describe("a suspended account", () => {
  it("is refused with the operator's words in every process, until the suspension is lifted", async () => {
    const account = await gateway.createAccount();
    const { database, limiter, log, networks } = gateway.context;
    const otherProcess = await createCredentials({ database, limiter, log, networks });
    const suspendedFor = async () => (await otherProcess.find(account.key, "127.0.0.1")).suspendedFor;
    expect(await suspendedFor()).toBeNull();

    expect(await suspend(account)).toMatchObject({
      ...{ reason, since: expect.any(String), by: { id: operator.userId } },
    });
    await expect.poll(suspendedFor, { timeout: 1_000 }).toBe(reason);
    expect((await asOperator("GET", `accounts/${account.accountId}`)).body).toMatchObject({
      ...{ state: "suspended", suspension: { reason } },
    });
    otherProcess.close();
    const refused = await ask(account.key, "GET", "/predictions");
    expect(refused).toMatchObject(refusal(403, "account_suspended"));
    expect(refused.body.error).toMatchObject({ message: expect.stringContaining(reason) });

    // The same suspension with other words.
    const changed = await asOperator("POST", `accounts/${account.accountId}/suspension`, { reason: "Abuse" });
    expect(changed.body).toMatchObject({ reason: "Abuse" });
    expect((await lift(account)).status).toBe(200);
    expect((await lift(account)).status).toBe(200);
    await expect.poll(async () => (await ask(account.key, "GET", "/predictions")).status).toBe(200);
    const { body } = await ask(account.session, "GET", "/audit_logs");
    const actions = (body.data as { action: string; detail: object; actor: object }[]).slice(0, 3);
    expect(actions).toMatchObject([
      { action: "account.suspension_lifted", actor: { id: operator.userId } },
      { action: "account.suspended", detail: { reason: "Abuse" } },
      { action: "account.suspended", detail: { reason }, actor: { id: operator.userId } },
    ]);
  });

  it("ends what runs, keeps its deliveries until they may be sent, and pauses its batches", async () => {
    const account = await gateway.createAccount();
    const other = await gateway.createAccount();
    for (const { session } of [account, other])
      await ask(session, "POST", "/webhooks/endpoints", { url: "https://nowhere.example.com/" });
    const batch = await ask(account.key, "POST", "/batches", {
      ...{ model: "svc/chat-1", api_type: "chat-completions" },
      rows: Array.from({ length: 300 }, (_, at) => ({
        messages: [{ role: "user", content: `Hello ${at}` }],
      })),
    });
    expect(batch.status, JSON.stringify(batch.body)).toBe(202);
    const run = await ask(account.key, "POST", "/images/generations", picture);
    await suspend(account);

    const one = async (text: string, id: unknown) => (await rows(text, [id]))[0];
    const statusOf = async () =>
      (await one("select status from predictions where id = $1", run.body.id))?.status;
    await expect.poll(statusOf).toBe("succeeded");
    const batchNow = () =>
      one("select status, reason->>'code' as code from batches where id = $1", batch.body.id);
    await expect.poll(batchNow).toMatchObject({ status: "paused", code: "account_suspended" });
    // A later event of another account is tried first.
    await ask(other.key, "POST", "/images/generations", picture);
    const tried = (accountId: string) =>
      rows("select id from webhook_deliveries where account_id = $1 and attempts > 0", [accountId]);
    await expect.poll(async () => (await tried(other.accountId)).length).toBeGreaterThan(0);
    expect(await tried(account.accountId)).toEqual([]);
    expect(
      await one("select status from webhook_deliveries where account_id = $1", account.accountId),
    ).toEqual({
      status: "pending",
    });

    await lift(account);
    await expect.poll(async () => (await tried(account.accountId)).length).toBeGreaterThan(0);
    await expect
      .poll(async () => (await ask(account.key, "POST", `/batches/${batch.body.id}/resume`)).status)
      .toBe(200);
  }, 60_000);

  it("gets the rest of an answer that is being streamed", async () => {
    const account = await gateway.createAccount();
    const answer = await fetch(`${gateway.url}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
      body: JSON.stringify({
        ...{ model: "svc/chat-1", stream: true, max_tokens: 200 },
        messages: [{ role: "user", content: "A long story about the sea. ".repeat(60) }],
      }),
    });
    const text = answer.text();
    await suspend(account);
    expect(await ask(account.key, "GET", "/predictions")).toMatchObject(refusal(403, "account_suspended"));
    expect(await text).toContain("data: [DONE]");
  });

  it("is only one of two whose operators suspend each other at the same moment", async () => {
    const others = [await gateway.createAccount(), await gateway.createAccount()] as const;
    const { database } = gateway.context;
    const makeOperators = async (ids: string[]) => {
      await rows("update users set is_operator = id = any($1)", [ids]);
      await database.transaction(forgetAllCredentials);
    };
    await makeOperators(others.map(({ userId }) => userId));
    const isOperator = async ({ session }: TestAccount) =>
      (await ask(session, "GET", "/operator/accounts")).status;
    await expect.poll(async () => Promise.all(others.map(isOperator))).toEqual([200, 200]);
    const [first, second] = others;
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        ask(first.session, "POST", `/operator/accounts/${second.accountId}/suspension`, { reason }),
        ask(second.session, "POST", `/operator/accounts/${first.accountId}/suspension`, { reason }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      await rows("update accounts set suspension = null");
      await database.transaction(forgetAllCredentials);
      await expect.poll(async () => Promise.all(others.map(isOperator))).toEqual([200, 200]);
    }
    await makeOperators([operator.userId]);
    await expect.poll(() => isOperator(operator)).toBe(200);
  });

  it.each([
    ["an unknown account", () => "acct_00000000000000000000000000", { reason }, 404, "account_not_found"],
    ["the operator's own account", () => operator.accountId, { reason }, 400, "invalid_parameter"],
    ["no reason", () => operator.accountId, { reason: "  " }, 400, "invalid_parameter"],
    ["unknown fields", () => operator.accountId, { reason, until: "later" }, 400, "invalid_parameter"],
  ])("is not made of %s", async (_, id, body, status, code) => {
    expect(await asOperator("POST", `accounts/${id()}/suspension`, body)).toMatchObject(
      refusal(status, code),
    );
  });

  it("is never the last one with an operator", async () => {
    const other = await gateway.createAccount();
    const key = await gateway.createKey(other.accountId, { scopes: ["operator"] });
    expect(
      await ask(key, "POST", `/operator/accounts/${operator.accountId}/suspension`, { reason }),
    ).toMatchObject(refusal(409, "last_operator"));
  });
});

describe("a deletion at once", () => {
  const order = (accountId: string, body: object) =>
    asOperator("POST", `accounts/${accountId}/deletion`, body);
  const record = async (accountId: string) => (await asOperator("GET", `deletions/${accountId}`)).body;

  it("needs the name and a reason, replaces a scheduled one, and leaves a certificate", async () => {
    const account = await gateway.createAccount();
    const { accountId } = account;
    await verifiedUpload(gateway, account.key);
    const { name } = (await ask(account.session, "GET", "/account")).body;
    expect(await order(accountId, { name: "Another", reason })).toMatchObject(
      refusal(400, "invalid_parameter"),
    );
    expect(await order(accountId, { name })).toMatchObject(refusal(400, "missing_parameter"));
    await ask(account.session, "POST", "/account/deletion", { name });
    expect(await record(accountId)).toMatchObject({ state: "scheduled", reason: null, sha256: null });

    expect((await order(accountId, { name, reason })).body).toMatchObject({ state: "running", reason });
    expect(await order(accountId, { name, reason })).toMatchObject(refusal(409, "deletion_started"));
    await expect.poll(async () => (await ask(account.key, "GET", "/predictions")).status).toBe(401);
    const sweeps = [accountDeletionSweep, predictionSweep, uploadSweep, reservedFileSweep];
    await expect
      .poll(async () => {
        for (const sweep of sweeps) await sweepAll(gateway.context, sweep);
        return (await record(accountId)).state;
      })
      .toBe("finished");

    const { sha256, ...certified } = await record(accountId);
    expect(certified).toMatchObject({
      ...{ id: accountId, reason, requested_by: operator.userId, finished_at: expect.any(String) },
      contents: { uploads: 1, members: 1 },
      removed: { uploads: 1, members: 1, api_keys: 1, accounts: 1, audit_logs: expect.any(Number) },
    });
    expect(sha256).toBe(createHash("sha256").update(canonicalJson(certified)).digest("hex"));
    const { data } = (await asOperator("GET", "deletions?limit=1")).body;
    expect(data).toMatchObject([{ id: accountId, sha256 }]);
    expect(await order(accountId, { name, reason })).toMatchObject(refusal(404, "account_not_found"));
  }, 60_000);

  it("is unknown for an account that nobody deletes", async () => {
    expect(await asOperator("GET", `deletions/${operator.accountId}`)).toMatchObject(
      refusal(404, "account_not_found"),
    );
  });
});
