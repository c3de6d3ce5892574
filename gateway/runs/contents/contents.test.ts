import { describe, expect, it, vi } from "vitest";
import type { KeyContents, Scope } from "#contract/accounts/constants.ts";
import type { Content } from "#contract/contents.ts";
import { firstIdAt, newId } from "#contract/ids.ts";
import type { RequestRow } from "#contract/usage.ts";
import { contentKeySealSweep } from "#gateway/access/contents/keys.ts";
import { contentAgeSweep, contentLimitSweep, erasedContentSweep } from "#gateway/access/contents/sweeps.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import { sweepAll } from "#gateway/platform/core/sweeps.ts";
import { eq, sql } from "#gateway/platform/database/drizzle.ts";
import { agedPartitionSweep, contentDays } from "#gateway/platform/database/partitions.ts";
import { auditLogs, contentKeys, contents } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";

const metricsToken = "only-for-the-operator";
const gateway = shared(() => startTestGateway({ metricsToken }));
/** The first account is the operator's. */
const operator = shared(() => gateway.createAccount());

type Fields = Record<string, unknown>;

const request = (
  bearer: string,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => call(gateway, bearer, method, path, body, headers);

async function keeping(contentsOf: Fields = { keep: "all" }): Promise<TestAccount> {
  const account = await gateway.createAccount();
  const { status } = await request(account.session, "PATCH", "/account", { contents: contentsOf });
  expect(status).toBe(200);
  return account;
}

/** Sends a chat, and returns its run. */
async function chat(bearer: string, more: Fields = {}, headers?: Record<string, string>): Promise<string> {
  const body = {
    model: "svc/chat-1",
    messages: [{ role: "user", content: "The whale is called Moby" }],
    ...more,
  };
  const { status, body: answer } = await request(bearer, "POST", "/chat/completions", body, headers);
  expect(status).toBe(200);
  return String(answer.id);
}

async function listed(bearer: string): Promise<{ id: string; opening: string | null }[]> {
  return (await request(bearer, "GET", "/contents")).body.data as { id: string; opening: string | null }[];
}

async function read(bearer: string, id: string): Promise<Content> {
  const { status, body } = await request(bearer, "GET", `/contents/${id}`);
  expect(status).toBe(200);
  return body as Content;
}

const codeOf = async (bearer: string, method: string, path: string, body?: unknown) =>
  ((await request(bearer, method, path, body)).body.error as Fields | undefined)?.code;

async function logged(bearer: string, runId: string): Promise<RequestRow> {
  let row: RequestRow | undefined;
  await expect
    .poll(async () => {
      const { data } = (await request(bearer, "GET", "/requests?runs=true")).body as { data: RequestRow[] };
      row = data.find(({ run_id: id }) => id === runId);
      return row;
    })
    .toBeDefined();
  return row as RequestRow;
}

function newKey({ accountId }: TestAccount, scopes: Scope[]): Promise<string> {
  return gateway.createKey(accountId, { scopes });
}

describe("switches", () => {
  it("keeps nothing until the owner turns it on", async () => {
    const account = await gateway.createAccount();
    const id = await chat(account.key);
    expect(await listed(account.session)).toEqual([]);
    expect((await logged(account.session, id)).contents).toBeNull();
    expect(await codeOf(account.session, "GET", `/contents/${id}`)).toBe("content_not_found");
    const { body } = await request(account.session, "GET", "/account");
    expect(body).toMatchObject({ contents: { keep: "off", days: 7 }, contents_max_days: 30 });
  });

  it.each<[Fields, string]>([
    [{ days: 31, keep: "all" }, "invalid_parameter"],
    [{ keep: "some" }, "invalid_parameter"],
    [{ keep: "all", other: 1 }, "invalid_parameter"],
    [{}, "invalid_parameter"],
  ])("refuses %j", async (asked, code) => {
    const { session } = await gateway.createAccount();
    expect(await codeOf(session, "PATCH", "/account", { contents: asked })).toBe(code);
  });

  it("acts on the next call, however late its notification arrives", async () => {
    const account = await gateway.createAccount();
    for (let turn = 0; turn < 20; turn += 1) {
      const keep = turn % 2 === 0 ? "all" : "off";
      await request(account.session, "PATCH", "/account", { contents: { keep } });
      const id = await chat(account.session);
      expect((await listed(account.session)).map((content) => content.id)).toEqual(
        keep === "all" ? [id] : [],
      );
    }
  });

  it("lets only owners turn it on", async () => {
    const account = await gateway.createAccount();
    const admin = await gateway.addMember(account, "admin");
    const asked = { contents: { keep: "all" } };
    expect(await codeOf(admin.session, "PATCH", "/account", asked)).toBe("role_not_allowed");
  });

  it("keeps nothing where the operator forbids it", async () => {
    const { config } = gateway.context;
    const { contents: allowed } = config;
    const account = await keeping();
    const before = await chat(account.key);
    config.contents = null;
    try {
      await chat(account.key);
      expect(await listed(account.session)).toEqual([]);
      expect(await codeOf(account.session, "GET", `/contents/${before}`)).toBe("content_not_found");
      const other = await gateway.createAccount();
      const asked = { contents: { keep: "all" } };
      expect(await codeOf(other.session, "PATCH", "/account", asked)).toBe("invalid_parameter");
    } finally {
      config.contents = allowed;
    }
    expect(await listed(account.session)).toHaveLength(1);
  });

  it("leaves keys out, or keeps only those of chosen ones", async () => {
    const account = await keeping();
    const keyWith = async (contentsOf: KeyContents) =>
      (await request(account.session, "POST", "/keys", { name: "k", contents: contentsOf })).body as {
        id: string;
        secret: string;
      };
    const out = await keyWith("off");
    const left = await chat(out.secret);
    expect((await logged(account.session, left)).contents).toBe("key_left_out");
    expect(await codeOf(account.session, "POST", "/keys", { name: "k", contents: "on" })).toBe(
      "invalid_parameter",
    );
    await request(account.session, "PATCH", "/account", { contents: { keep: "chosen_keys" } });
    const chosen = await keyWith("on");
    await chat(account.key);
    const kept = await chat(chosen.secret);
    expect((await listed(account.session)).map(({ id }) => id)).toEqual([kept]);
    await request(account.session, "PATCH", `/keys/${chosen.id}`, { contents: "inherit" });
    await chat(chosen.secret);
    expect(await listed(account.session)).toHaveLength(1);
  });

  it("keeps nothing that the caller declines", async () => {
    const account = await keeping();
    const declined = [
      await chat(account.key, { store: false }),
      await chat(account.key, {}, { "x-svc-keep-contents": "false" }),
    ];
    const { body } = await request(account.key, "POST", "/responses", {
      ...{ model: "svc/chat-1", input: "The whale", store: false },
    });
    expect(body.status).toBe("completed");
    expect(await listed(account.session)).toEqual([]);
    for (const id of declined) expect((await logged(account.session, id)).contents).toBe("declined");
  });

  it("makes everything unreadable at once when it is turned off, and removes it", async () => {
    const { database } = gateway.context;
    const account = await keeping();
    const id = await chat(account.key);
    expect(await listed(account.session)).toHaveLength(1);
    await request(account.session, "PATCH", "/account", { contents: { keep: "off" } });
    expect(await codeOf(account.session, "GET", `/contents/${id}`)).toBe("content_not_found");
    await request(account.session, "PATCH", "/account", { contents: { keep: "all" } });
    expect(await listed(account.session)).toEqual([]);
    const later = await chat(account.key);
    expect((await listed(account.session)).map((each) => each.id)).toEqual([later]);
    await sweepAll(gateway.context, erasedContentSweep);
    const rows = await database.queries
      .select()
      .from(contents)
      .where(eq(contents.accountId, account.accountId));
    expect(rows.map((row) => row.id)).toEqual([later]);
    const { accountId } = account;
    const keys = await database.queries
      .select()
      .from(contentKeys)
      .where(eq(contentKeys.accountId, accountId));
    expect(keys).toHaveLength(1);
  });

  it("is switched a hundred times at once", async () => {
    const account = await gateway.createAccount();
    // Where all connections are busy, an answer is 503, and the request is sent again, as clients do.
    const turn = async (at: number): Promise<number> => {
      const contents = { keep: at % 2 === 0 ? "all" : "off" };
      const { status } = await request(account.session, "PATCH", "/account", { contents });
      return status === 503 ? turn(at) : status;
    };
    const beside = (async () => {
      for (let nth = 0; nth < 10; nth += 1) {
        await chat(account.key);
        await listed(account.session);
      }
    })();
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => turn(at)));
    expect(new Set(answers)).toEqual(new Set([200]));
    await beside;
    await turn(1);
    expect(await listed(account.session)).toEqual([]);
    await turn(0);
    const id = await chat(account.key);
    expect((await listed(account.session)).map((each) => each.id)).toEqual([id]);
    const { context } = gateway;
    await sweepAll(context, erasedContentSweep);
    for (const table of [contents, contentKeys])
      expect(await context.database.queries.$count(table, eq(table.accountId, account.accountId))).toBe(1);
  });
});

describe("what is kept", () => {
  const account = shared(() => keeping({ keep: "all", embeddings: true }));

  it("keeps a chat whole, and finds it by its run and its request", async () => {
    const headers = { "x-client-request-id": "ticket-7", "x-svc-metadata": '{"customer":"acme"}' };
    const id = await chat(account.key, { temperature: 0.5 }, headers);
    const content = await read(account.session, id);
    expect(content).toMatchObject({
      ...{
        id,
        object: "content",
        model: "svc/chat-1",
        api_type: "chat-completions",
        stored: false,
        cut: false,
      },
      ...{ error: null, metadata: { customer: "acme" }, opening: "The whale is called Moby" },
      input: { temperature: 0.5, messages: [{ role: "user", content: "The whale is called Moby" }] },
      output: { id, choices: [{ message: { role: "assistant", content: expect.any(String) } }] },
    });
    const row = await logged(account.session, id);
    expect(row).toMatchObject({ contents: "kept", client_request_id: "ticket-7" });
    expect(content.request_id).toBe(row.id);
    expect((await read(account.session, row.id)).id).toBe(id);
    const found = await request(account.session, "GET", "/requests?client_request_id=ticket-7&contents=kept");
    expect((found.body.data as RequestRow[]).map((each) => each.id)).toEqual([row.id]);
  });

  it("lets the requests of a conversation stand together", async () => {
    const first = { role: "user", content: "Tell me of Ahab" };
    const one = await chat(account.key, { messages: [first] });
    const answer = { role: "assistant", content: "He hunts" };
    const two = await chat(account.key, { messages: [first, answer, { role: "user", content: "Whom?" }] });
    const other = await chat(account.key, { messages: [{ role: "user", content: "Tell me of Ishmael" }] });
    const rows = await Promise.all([one, two, other].map((id) => logged(account.session, id)));
    const [name] = rows.map(({ conversation }) => conversation);
    expect(name).toEqual(expect.any(String));
    expect(rows[1]?.conversation).toBe(name);
    expect(rows[2]?.conversation).not.toBe(name);
    const found = await request(account.session, "GET", `/requests?conversation=${name}`);
    expect((found.body.data as RequestRow[]).map(({ run_id: id }) => id)).toEqual([two, one]);
  });

  it("keeps a stream as its completion, and marks one whose caller left", async () => {
    const ask = async (leaves: boolean) => {
      const leaving = new AbortController();
      const response = await fetch(`${gateway.url}/chat/completions`, {
        method: "POST",
        signal: leaving.signal,
        headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
        body: JSON.stringify({
          ...{ model: "svc/chat-1", stream: true },
          messages: [{ role: "user", content: "Count the sails. ".repeat(30) }],
        }),
      });
      const reader = response.body?.getReader();
      const first = await reader?.read();
      const text = new TextDecoder().decode(first?.value);
      const id = /"id":"(gen_\w+)"/.exec(text)?.[1] ?? "";
      if (leaves) leaving.abort();
      else while (!(await reader?.read())?.done);
      return id;
    };
    const whole = await ask(false);
    expect(await read(account.session, whole)).toMatchObject({
      ...{ cut: false, output: { choices: [{ finish_reason: "stop" }] } },
    });
    const left = await ask(true);
    await expect.poll(async () => (await listed(account.session))[0]?.id).toBe(left);
    const content = await read(account.session, left);
    expect(content).toMatchObject({ cut: true, output: { choices: [{ finish_reason: null }] } });
  });

  it("keeps the texts of speech, embeddings and pictures, and none of their bytes", async () => {
    const asked = [
      ["/audio/speech", { model: "svc/tts-b-1", input: "Call me Ishmael" }],
      ["/images/generations", { model: "svc/img-gen-a-1", prompt: "A white whale" }],
    ] as const;
    for (const [path, body] of asked)
      expect((await request(account.key, "POST", path, body)).status).toBe(200);
    const [picture, speech] = await listed(account.session);
    expect(picture?.opening).toBe("A white whale");
    expect(await read(account.session, speech?.id ?? "")).toMatchObject({
      ...{ api_type: "text-to-speech", input: { input: "Call me Ishmael" }, output: null },
    });
  });

  it("keeps a response as its chat, and one in the background", async () => {
    const body = { model: "svc/chat-1", input: "What floats?", instructions: "Be short" };
    await request(account.key, "POST", "/responses", body);
    const [whole] = await listed(account.session);
    expect((await read(account.session, whole?.id ?? "")).input).toMatchObject({
      messages: [{ role: "system", content: "Be short" }, { role: "user" }],
    });
    await request(account.key, "POST", "/responses", { ...body, input: "What sinks?", background: true });
    await expect.poll(async () => (await listed(account.session))[0]?.opening).toBe("What sinks?");
  });

  it("keeps, finds and exports the longest text of one letter and 30,000 messages; nothing of a body that is refused", async () => {
    const other = await keeping();
    const user = (content: string) => ({ role: "user", content });
    for (const refused of ["Half \ud83d a whale", "Nothing \u0000 of a whale", "a".repeat(3_990_000), null])
      expect(
        await codeOf(other.key, "POST", "/chat/completions", {
          model: "svc/chat-1",
          messages: refused === null ? Array.from({ length: 100_000 }, () => user("a")) : [user(refused)],
        }),
      ).toMatch(/^(?:invalid_parameter|input_too_large|request_too_large)$/);
    const texts = [
      [user(`${"a".repeat(900_000)} whale`)],
      [...Array.from({ length: 29_999 }, () => user("a")), user("whale")],
    ];
    const ids: string[] = [];
    for (const messages of texts) ids.unshift(await chat(other.key, { messages }));
    const found = await request(other.session, "GET", "/contents/search?query=whale");
    expect(found.body).toMatchObject({ read: 2, data: ids.map((id) => ({ id })) });
    const kept = await Promise.all(ids.map((id) => read(other.session, id)));
    expect(kept.map(({ input }) => input.messages)).toEqual(texts.toReversed());
    const exported = await request(other.session, "GET", "/contents/export");
    expect(String(exported.body.text).trim().split("\n")).toHaveLength(2);
  });

  it("drops what cannot be written, and counts it; the answer and its log row stay", async () => {
    const { database } = gateway.context;
    const dropped = async () => {
      const headers = { authorization: `Bearer ${metricsToken}` };
      const metrics = await (await fetch(gateway.url.replace("/v1", "/metrics"), { headers })).text();
      return Number(/^gatehouse_contents_total\{result="dropped"\} (\d+)$/m.exec(metrics)?.[1]);
    };
    const failing = async () =>
      (await request(operator.session, "GET", "/operator/health")).body.contents_failing_since;
    const before = await listed(account.session);
    const droppedBefore = await dropped();
    await database.queries.execute(sql`alter table contents rename to contents_away`);
    const id = await chat(account.key);
    await gateway.context.contents.flush();
    expect(await failing()).toEqual(expect.any(String));
    expect(await dropped()).toBe(droppedBefore + 1);
    await database.queries.execute(sql`alter table contents_away rename to contents`);
    expect((await logged(account.session, id)).contents).toBe("kept");
    expect(await listed(account.session)).toEqual(before);
    await chat(account.key);
    await gateway.context.contents.flush();
    expect(await failing()).toBeNull();
  });

  it("writes the others apart from one that the database rejects", async () => {
    const { contents: recorder } = gateway.context;
    await recorder.flush();
    const countOf = (result: string) =>
      counters.contents.values().find(({ labels }) => labels.result === result)?.value ?? 0;
    const before = [countOf("kept"), countOf("dropped")];
    const ids = [0, 1, 2].map(() => newId("generation"));
    for (const [at, id] of ids.entries())
      recorder.add({
        ...{ id, accountId: account.accountId, requestId: null, keyId: null, userId: null, weight: 1 },
        ...{ model: "svc/chat-1", apiType: "chat-completions", isStored: false },
        metadata: at === 1 ? { note: "\u0000" } : null,
        read: () => ({ text: "{}", opening: `Number ${at}` }),
      });
    await recorder.flush();
    expect([countOf("kept"), countOf("dropped")]).toEqual([Number(before[0]) + 2, Number(before[1]) + 1]);
    const kept = (await listed(account.session)).map(({ id }) => id);
    expect(ids.map((id) => kept.includes(id))).toEqual([true, false, true]);
    expect(recorder.failingSince).toBeNull();
  });

  it("keeps no response in the background whose caller declined, though the account turns contents on before it runs", async () => {
    const { queries } = gateway.context.database;
    const other = await gateway.createAccount();
    // Until the trigger is gone, no worker takes the job.
    await queries.execute(sql`
      create function later() returns trigger language plpgsql as
        $$ begin new.next_check_at := now() + interval '1 hour'; return new; end $$;
      create trigger later before insert on response_jobs for each row execute function later()`);
    const ids: string[] = [];
    for (const declines of [true, false]) {
      const body = { model: "svc/chat-1", input: "What drifts?", background: true };
      const headers = declines ? { "x-svc-keep-contents": "false" } : {};
      const made = await request(other.key, "POST", "/responses", body, headers);
      ids.push(String(made.body.id));
    }
    await request(other.session, "PATCH", "/account", { contents: { keep: "all" } });
    await queries.execute(sql`drop function later cascade; update response_jobs set next_check_at = now()`);
    for (const id of ids)
      await expect
        .poll(async () => (await request(other.key, "GET", `/responses/${id}`)).body.status)
        .toBe("completed");
    expect(await listed(other.session)).toMatchObject([{ opening: "What drifts?" }]);
    expect(await listed(other.session)).toHaveLength(1);
  });
});

describe("a key of an account that cannot be opened", () => {
  it("counts as a drop, is logged once, and is replaced with all that it sealed when contents are turned on", async () => {
    const { context } = gateway;
    const { queries } = context.database;
    const account = await keeping();
    const ofAccount = eq(contents.accountId, account.accountId);
    await chat(account.key);
    expect(await listed(account.session)).toHaveLength(1);
    const key = eq(contentKeys.accountId, account.accountId);
    await queries.update(contentKeys).set({ ciphertext: "sealed by another secret" }).where(key);
    const error = vi.spyOn(context.log, "error");
    const dropped = () =>
      counters.contents.values().find(({ labels }) => labels.result === "dropped")?.value ?? 0;
    const before = dropped();
    for (let times = 0; times < 2; times += 1) {
      await chat(account.key);
      await context.contents.flush();
    }
    expect(dropped() - before).toBe(2);
    const logged = error.mock.calls.filter(([about]) => Object(about).account === account.accountId);
    expect(logged).toHaveLength(1);
    error.mockRestore();
    // What other accounts keep does not hide it.
    await chat((await keeping()).key);
    await context.contents.flush();
    expect(context.contents.failingSince).not.toBeNull();

    await request(account.session, "PATCH", "/account", { contents: { days: 3 } });
    expect(await queries.$count(contents, ofAccount)).toBe(1);
    await request(account.session, "PATCH", "/account", { contents: { keep: "all" } });
    const later = await chat(account.key);
    expect((await listed(account.session)).map(({ id }) => id)).toEqual([later]);
    await sweepAll(context, erasedContentSweep);
    expect(await queries.$count(contents, ofAccount)).toBe(1);
    const now = vi.spyOn(clock, "now").mockReturnValue(clock.now() + 2 * 3_600_000);
    expect(context.contents.failingSince).toBeNull();
    now.mockRestore();
  });
});

describe("who may read", () => {
  it("refuses everybody but owners, admins and keys with the scope", async () => {
    const account = await keeping();
    const id = await chat(account.key);
    const stranger = await gateway.createAccount("adult");
    const may = [account.session, (await gateway.addMember(account, "admin")).session];
    may.push(await newKey(account, ["contents"]));
    for (const bearer of may) expect((await read(bearer, id)).id).toBe(id);
    const mayNot: [string, string][] = [
      [account.key, "insufficient_scope"],
      [await newKey(account, ["inference"]), "insufficient_scope"],
      [await newKey(account, ["usage"]), "insufficient_scope"],
      [(await gateway.addMember(account, "member")).session, "role_not_allowed"],
      [(await gateway.addMember(account, "viewer")).session, "role_not_allowed"],
      [(await gateway.addMember(account, "billing")).session, "role_not_allowed"],
      [stranger.session, "content_not_found"],
    ];
    for (const [bearer, code] of mayNot)
      for (const method of ["GET", "DELETE"] as const)
        expect(await codeOf(bearer, method, `/contents/${id}`)).toBe(code);
    expect(await listed(stranger.session)).toEqual([]);
    const named = await request(account.key, "GET", "/contents");
    expect((named.body.error as Fields).message).toContain("`contents`");
  });

  it("shows contents of gated models only to people who attested", async () => {
    const account = await gateway.createAccount();
    await request(account.session, "PATCH", "/account", { contents: { keep: "all" } });
    const id = newId("generation");
    gateway.context.contents.add({
      ...{ id, accountId: account.accountId, requestId: null, keyId: null, userId: null, weight: 1 },
      ...{ model: "svc/adult-img-1", apiType: "image-generation", isStored: false, metadata: null },
      read: () => ({
        text: JSON.stringify({ input: { prompt: "secret" }, output: null, failure: null, isCut: false }),
        opening: "secret",
      }),
    });
    expect(await codeOf(account.session, "GET", `/contents/${id}`)).toBe("adult_attestation_required");
    expect((await listed(account.session))[0]?.opening).toBeNull();
    await gateway.attest(account, "adult");
    expect((await read(account.session, id)).input).toEqual({ prompt: "secret" });
  });

  it("stops an export whose reader withdraws the attestation, at the next page", async () => {
    const account = await gateway.createAccount("adult");
    await request(account.session, "PATCH", "/account", { contents: { keep: "all" } });
    const { contents: recorder } = gateway.context;
    const message = { role: "assistant", content: "Yes" };
    const said = { input: { messages: [] }, output: { choices: [{ message }] }, failure: null, isCut: false };
    for (let made = 0; made < 25; made += 1)
      recorder.add({
        ...{ id: newId("generation"), accountId: account.accountId, requestId: null, keyId: null },
        ...{ userId: null, weight: 1, model: "svc/adult-img-1", isStored: false, metadata: null },
        apiType: "chat-completions",
        read: () => ({ text: JSON.stringify(said), opening: "" }),
      });
    const linesOf = async () => {
      const { body } = await request(account.session, "GET", "/contents/export");
      return String(body.text).trim().split("\n").filter(Boolean).length;
    };
    expect(await linesOf()).toBe(25);
    const { flush } = recorder;
    let pages = 0;
    const flushed = vi.spyOn(recorder, "flush").mockImplementation(async () => {
      pages += 1;
      if (pages === 2) await request(account.session, "DELETE", "/account/attestations/adult");
      await flush();
    });
    expect(await linesOf()).toBe(20);
    flushed.mockRestore();
  });

  it("audits an opening once per reader, content and hour, and deletes a content", async () => {
    const account = await keeping();
    const id = await chat(account.key);
    await read(account.session, id);
    await read(account.session, id);
    const audits = await gateway.context.database.queries
      .select({ action: auditLogs.action, target: auditLogs.targetId })
      .from(auditLogs)
      .where(eq(auditLogs.accountId, account.accountId));
    expect(audits.filter(({ action }) => action === "content.opened")).toEqual([
      { action: "content.opened", target: id },
    ]);
    expect((await request(account.session, "DELETE", `/contents/${id}`)).body).toMatchObject({
      id,
      deleted: true,
    });
    expect(await codeOf(account.session, "GET", `/contents/${id}`)).toBe("content_not_found");
  });
});

describe("removal", () => {
  const idsOf = async ({ accountId }: TestAccount) =>
    (
      await gateway.context.database.queries
        .select({ id: contents.id })
        .from(contents)
        .where(eq(contents.accountId, accountId))
        .orderBy(contents.id)
    ).map(({ id }) => id);

  it("ends after the account's days, at once for readers", async () => {
    const account = await keeping({ keep: "all", days: 2 });
    const id = await chat(account.key);
    await listed(account.session);
    const old = `gen_${"0".repeat(26)}`;
    await gateway.context.database.queries.execute(sql`update contents set id = ${old} where id = ${id}`);
    expect(await codeOf(account.session, "GET", `/contents/${old}`)).toBe("content_not_found");
    await sweepAll(gateway.context, contentAgeSweep);
    expect(await idsOf(account)).toEqual([]);
  });

  it("removes the oldest beyond the limit in bytes", async () => {
    const account = await keeping();
    const ids = [];
    for (let nth = 0; nth < 6; nth += 1) ids.push(await chat(account.key));
    await listed(account.session);
    const { config } = gateway.context;
    const { contents: allowed } = config;
    const { rows } = await gateway.context.database.queries.execute<{ bytes: number }>(
      sql`select sum(size_bytes)::int as bytes from contents where account_id = ${account.accountId}`,
    );
    config.contents = { maxDays: 30, bytesPerAccount: Math.floor((rows[0]?.bytes ?? 0) / 2) };
    await contentLimitSweep.run(gateway.context);
    config.contents = allowed;
    const left = await idsOf(account);
    expect(left.length).toBeGreaterThan(0);
    expect(left).toEqual(ids.slice(-left.length));
    expect(left.length).toBeLessThan(4);
  });

  it("beside sweeps, searches find what is left and never fail", async () => {
    const account = await keeping();
    const ids: string[] = [];
    for (let nth = 0; nth < 8; nth += 1) ids.push(await chat(account.key));
    const search = () => request(account.session, "GET", "/contents/search?query=whale");
    const found = async () => ((await search()).body.data as { id: string }[]).map(({ id }) => id);
    expect(await found()).toEqual(ids.toReversed());
    const searching = new AbortController();
    const searches = (async () => {
      const statuses = new Set<number>();
      while (!searching.signal.aborted) statuses.add((await search()).status);
      return statuses;
    })();
    const { config } = gateway.context;
    const { contents: allowed } = config;
    for (let left = 6; left >= 2; left -= 2) {
      const kept = sql`account_id = ${account.accountId} order by id desc limit ${left}`;
      const { rows } = await gateway.context.database.queries.execute<{ bytes: number }>(
        sql`select sum(size_bytes)::int as bytes from (select size_bytes from contents where ${kept}) as newest`,
      );
      config.contents = { maxDays: 30, bytesPerAccount: rows[0]?.bytes ?? 0 };
      await contentLimitSweep.run(gateway.context);
      await sweepAll(gateway.context, contentAgeSweep);
    }
    config.contents = allowed;
    await request(account.session, "PATCH", "/account", { contents: { keep: "off" } });
    await sweepAll(gateway.context, erasedContentSweep);
    searching.abort();
    expect(await searches).toEqual(new Set([200]));
    expect(await found()).toEqual([]);
    expect(await idsOf(account)).toEqual([]);
  });

  it("beside the drop of a day, a search and an export end with what is left", async () => {
    const own = await startTestGateway({ role: "api" });
    const account = await own.createAccount();
    const get = (path: string) => call(own, account.session, "GET", path);
    await call(own, account.session, "PATCH", "/account", { contents: { keep: "all" } });
    const { contents: recorder, database } = own.context;
    const message = { role: "assistant", content: "Yes" };
    const said = { input: { messages: [] }, output: { choices: [{ message }] }, failure: null, isCut: false };
    // Of today, whose day is dropped, and of tomorrow.
    for (const inMs of [0, 86_400_000])
      for (let nth = 0; nth < 25; nth += 1)
        recorder.add({
          id: firstIdAt("generation", Date.now() + inMs + nth),
          ...{ accountId: account.accountId, requestId: null, keyId: null, userId: null, weight: 1 },
          ...{ model: "svc/chat-1", apiType: "chat-completions", isStored: false, metadata: null },
          read: () => ({ text: JSON.stringify(said), opening: "" }),
        });
    await recorder.flush();
    const sweep = agedPartitionSweep({ kind: "a day later", table: contentDays, at: "at", days: () => -1 });
    const { pool } = database;
    const query = pool.query.bind(pool) as (...asked: unknown[]) => Promise<unknown>;
    let dropped = false;
    const queried = vi.spyOn(pool, "query").mockImplementation((async (...asked: unknown[]) => {
      const result = await query(...asked);
      const { text = "" } = asked[0] as { text?: string };
      // The search knows which contents there are, and has opened none.
      if (!dropped && text.startsWith('select "id", "size_bytes" from "contents"')) {
        dropped = true;
        expect(await sweep.run(own.context)).toBe(true);
      }
      return result;
    }) as typeof pool.query);
    // The export has sent a page when the search begins.
    let found: Fields = {};
    let pages = 0;
    const { flush } = recorder;
    vi.spyOn(recorder, "flush").mockImplementation(async () => {
      pages += 1;
      if (pages === 2) found = (await get("/contents/search?query=yes")).body;
      await flush();
    });
    const exported = await get("/contents/export");
    queried.mockRestore();
    expect(dropped).toBe(true);
    expect(found).toMatchObject({ read: 25, data: { length: 25 }, next: null });
    expect(String(exported.body.text).trim().split("\n")).toHaveLength(25);
    await own.close();
  });

  it("stays readable when the master secret is replaced", async () => {
    const account = await keeping();
    const id = await chat(account.key);
    expect((await read(account.session, id)).id).toBe(id);
    const { config } = gateway.context;
    const { secret } = config;
    Object.assign(config, { secret: "another-secret-that-only-tests-know", previousSecret: secret });
    try {
      await sweepAll(gateway.context, contentKeySealSweep);
      config.previousSecret = null;
      expect((await read(account.session, id)).id).toBe(id);
    } finally {
      Object.assign(config, { secret, previousSecret: config.secret });
      await sweepAll(gateway.context, contentKeySealSweep);
      config.previousSecret = null;
    }
  });
});
