import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { keyScopes } from "#contract/accounts/constants.ts";
import { createAccount } from "#gateway/access/accounts/account.ts";
import { createKey } from "#gateway/access/accounts/keys/create.ts";
import {
  sendJson,
  startUpstream,
  type UpstreamServer,
} from "#gateway/models/providers/testing/upstream-server.ts";
import type { Database } from "#gateway/platform/database/database.ts";
import { createTestDatabase } from "#gateway/testing/database.ts";
import { type Fleet, type Member, makeFleet } from "#gateway/testing/fleet.ts";
import { newFolder } from "#gateway/testing/folder.ts";
import { call } from "#gateway/testing/gateway.ts";

const minutes = 300_000;
const soon = { timeout: 20_000, interval: 50 };
const callers = 4;

let database: Database;
let fleet: Fleet;
let members: Member[];
let key: string;
let upstreams: UpstreamServer[];

/** Starts an upstream that answers chats with its name, and only if the request has its key. */
const startNamed = (name: string) =>
  startUpstream(({ headers }, response) => {
    if (headers.authorization !== `Bearer key-of-${name}`)
      return sendJson(response, { error: { message: "Wrong key" } }, 401);
    const message = { role: "assistant", content: name };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    return sendJson(response, { choices: [{ index: 0, message, finish_reason: "stop" }], usage });
  });

beforeAll(async () => {
  database = await createTestDatabase();
  const { host, port, user, password, database: name } = database.pool.options;
  const server = new URL(`postgres://localhost/${name}`);
  server.username = user ?? "";
  server.password = String(password ?? "");
  server.searchParams.set("host", host ?? "");
  if (port) server.port = String(port);
  key = await database.transaction(async (queries) => {
    const owner = { name: "Owner", email: "owner@example.com", password: "correct-horse-battery" };
    const { accountId } = await createAccount(queries, owner);
    return (await createKey(queries, accountId, { name: "test", scopes: [...keyScopes] }, null)).secret;
  });
  fleet = makeFleet({
    DATABASE_URL: server.href,
    AUTH_SECRET: "a-secret-that-only-tests-know-0001",
    GATEHOUSE_DATA_DIR: newFolder("two"),
    GATEWAY_ROLE: "api",
    REQUESTS_PER_MINUTE: "100000",
  });
  upstreams = await Promise.all(["one", "two"].map(startNamed));
  members = await Promise.all([fleet.start(), fleet.start()]);
}, minutes);
afterAll(async () => {
  await fleet.close();
  await Promise.all(upstreams.map((upstream) => upstream.close()));
  await database.close();
});

interface Chat {
  status: number;
  by: string;
}

async function chat(member: Member): Promise<Chat> {
  const order = { model: "svc/chat-1", messages: [{ role: "user", content: "Who are you?" }] };
  const { status, body } = await call(member, key, "POST", "/chat/completions", order);
  const [choice] = (body.choices ?? []) as { message: { content: string } }[];
  return { status, by: choice?.message.content ?? JSON.stringify(body) };
}

async function change(method: string, where: string, body?: unknown): Promise<Record<string, unknown>> {
  // Requests alternate between processes, as behind a load balancer.
  const next = members.shift();
  if (!next) throw new Error("No process runs");
  members.push(next);
  const answer = await call(next, key, method, `/operator${where}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}

/** Waits until both processes use the named upstream. */
const allBy = (name: string) =>
  vi.waitFor(async () => {
    for (const member of members) expect(await chat(member)).toEqual({ status: 200, by: name });
  }, soon);

it(
  "two processes follow every change under load, and no request fails",
  async () => {
    const [one, two] = upstreams.map(({ origin }) => ({
      base_url: `${origin}/v1`,
      protocol: "openai",
      allow_private: true,
    }));
    const keyOf = (name: string) => ({ "us-virginia": { key: `key-of-${name}` } });
    const mapped = (provider: string) => ({
      routes: [{ models: ["svc/chat-1"], provider, upstream_model: "m" }],
    });
    const { id } = await change("POST", "/providers", { name: "first", ...one, credentials: keyOf("one") });
    await change("PUT", "/routes", mapped(String(id)));
    await allBy("one");

    let isOver = false;
    const chats: Chat[] = [];
    const load = members.flatMap((member) =>
      Array.from({ length: callers }, async () => {
        while (!isOver) chats.push(await chat(member));
      }),
    );
    // Changes the address and key, then the provider, then deletes the first one and restores it.
    await change("PATCH", `/providers/${id}`, { base_url: two?.base_url, credentials: keyOf("two") });
    await allBy("two");
    await change("POST", "/providers", { name: "second", ...one, credentials: keyOf("one") });
    await change("PUT", "/routes", mapped("second"));
    await allBy("one");
    await change("DELETE", `/providers/${id}`);
    const [deletion] = (await change("GET", "/changes")).data as { id: string }[];
    await change("POST", `/changes/${deletion?.id}/undo`);
    await change("PUT", "/routes", mapped("first"));
    await allBy("two");
    isOver = true;
    await Promise.all(load);
    expect(chats.length).toBeGreaterThan(callers * members.length);
    expect(chats.filter(({ status }) => status !== 200)).toEqual([]);
  },
  minutes,
);

it(
  "a start with another master secret ends with the reason",
  async () => {
    await expect(fleet.start({ AUTH_SECRET: "quite-another-secret-of-a-test-0002" })).rejects.toThrow(
      /AUTH_SECRET does not open the keys of first, second/,
    );
  },
  minutes,
);
