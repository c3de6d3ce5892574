import { pino } from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import type { Database } from "#gateway/platform/database/database.ts";
import { connect } from "#gateway/platform/database/open.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { type Credentials, createCredentials } from "./credentials.ts";

const silent = pino({ level: "silent" });
const address = "203.0.113.7";

const gateway = shared(() => startTestGateway({ role: "api" }));
const account = shared(() => gateway.createAccount());
const elsewhere = shared(() => connect(gateway.context.database.pool.options, silent));

/** The credentials cache of another process on the same database. */
const ofOtherProcess = (database: Database = elsewhere): Promise<Credentials> =>
  createCredentials({ ...gateway.context, database, log: silent });

async function newKey(input: object = {}): Promise<{ id: string; secret: string }> {
  const { body } = await call(gateway, account.session, "POST", "/keys", { name: "made", ...input });
  return { id: String(body.id), secret: String(body.secret) };
}

const statusOf = async (bearer: string) => (await call(gateway, bearer, "GET", "/account")).status;

/** Less than the five seconds for which a credential is cached without a notification. */
const notifiedMs = 3_000;

/** Milliseconds until the credential is refused there. */
async function refusedAfter(credentials: Credentials, bearer: string, code: string): Promise<number> {
  const from = performance.now();
  const find = async () => credentials.find(bearer, address);
  await vi.waitFor(() => expect(find()).rejects.toMatchObject({ code }), { interval: 20 });
  return performance.now() - from;
}

it("refuses a revoked key at once in the process that revoked it, and in others as soon as they are notified", async () => {
  const { id, secret } = await newKey();
  const other = await ofOtherProcess();
  expect(await statusOf(secret)).toBe(200);
  await other.find(secret, address);
  await call(gateway, account.session, "DELETE", `/keys/${id}`);
  expect(await statusOf(secret)).toBe(401);
  expect(await refusedAfter(other, secret, "revoked_api_key")).toBeLessThan(notifiedMs);
  other.close();
});

it("refuses a rotated secret and a signed-out session in the same way", async () => {
  const { id, secret } = await newKey();
  const { session } = await gateway.createAccount();
  const other = await ofOtherProcess();
  for (const bearer of [secret, session]) {
    expect(await statusOf(bearer)).toBe(200);
    await other.find(bearer, address);
  }
  await call(gateway, account.session, "POST", `/keys/${id}/rotate`, {});
  await call(gateway, session, "DELETE", "/account/sessions/current");
  for (const bearer of [secret, session]) expect(await statusOf(bearer)).toBe(401);
  expect(await refusedAfter(other, secret, "expired_api_key")).toBeLessThan(notifiedMs);
  expect(await refusedAfter(other, session, "revoked_api_key")).toBeLessThan(notifiedMs);
  other.close();
});

it("refuses a removed member's session and personal key in the same way, and ends their open streams", async () => {
  const person = await gateway.addMember(account, "member");
  const made = await call(gateway, person.session, "POST", "/keys", { name: "mine" });
  const bearers = [person.session, String(made.body.secret)];
  const other = await ofOtherProcess();
  let followed = 0;
  for (const bearer of bearers) {
    const actor = await other.find(bearer, address);
    followed += 1;
    other.watch(actor, "predictions:read", () => {
      followed -= 1;
    });
  }
  await call(gateway, account.session, "DELETE", `/account/members/${person.userId}`);
  for (const bearer of bearers) {
    expect(await statusOf(bearer)).toBe(401);
    expect(await refusedAfter(other, bearer, "revoked_api_key")).toBeLessThan(notifiedMs);
  }
  await vi.waitFor(() => expect(followed).toBe(0));
  other.close();
});

it("does not cache a credential that was read before its revocation", async () => {
  const { id, secret } = await newKey();
  const { database, credentials } = gateway.context;
  const blocked = Promise.withResolvers<void>();
  const reads = vi.spyOn(database.queries, "select").mockImplementationOnce((...fields: unknown[]) => {
    const query = Reflect.apply(elsewhere.queries.select, elsewhere.queries, fields);
    return {
      from(table: unknown) {
        const built = query.from(table as never);
        const limit = built.limit.bind(built);
        const late = async (count: number) => {
          const rows = await limit(count);
          await blocked.promise;
          return rows;
        };
        return Object.assign(built, { limit: late });
      },
    } as never;
  });
  const early = Promise.resolve(credentials.find(secret, address));
  await vi.waitFor(() => expect(reads).toHaveBeenCalled());
  await call(gateway, account.session, "DELETE", `/keys/${id}`);
  blocked.resolve();
  await early.catch(() => {});
  reads.mockRestore();
  expect(await statusOf(secret)).toBe(401);
});

// The last, because answers of the limiter would have times of the future for the tests after it.
it("reads credentials more often while notifications are unavailable", async () => {
  const { id, secret } = await newKey();
  const deaf: Database = { ...elsewhere, listen: async () => () => {}, isListening: () => false };
  const other = await ofOtherProcess(deaf);
  const find = async () => other.find(secret, address);
  const from = performance.now();
  const now = vi.spyOn(performance, "now").mockReturnValue(from);
  onTestFinished(() => now.mockRestore());
  await find();
  await call(gateway, account.session, "DELETE", `/keys/${id}`);
  now.mockReturnValue(from + 999);
  expect(await find()).toMatchObject({ id });
  now.mockReturnValue(from + 1_001);
  await expect(find()).rejects.toMatchObject({ code: "revoked_api_key" });
  other.close();
});
