import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { eq } from "#gateway/platform/database/drizzle.ts";
import { auditLogs } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway, type TestAccount } from "#gateway/testing/gateway.ts";

const gateway = shared(() => startTestGateway({ role: "api" }));

type Fields = Record<string, unknown>;

async function keeping(): Promise<TestAccount> {
  const account = await gateway.createAccount();
  const contents = { keep: "all" };
  expect((await call(gateway, account.session, "PATCH", "/account", { contents })).status).toBe(200);
  return account;
}

/** An unmodified client with a key that may run and read. */
async function clientOf({ accountId }: TestAccount): Promise<OpenAI> {
  const apiKey = await gateway.createKey(accountId, { scopes: ["inference", "contents"] });
  return new OpenAI({ baseURL: gateway.url, apiKey, maxRetries: 0 });
}

const asked = (content: string, more: Fields = {}) => ({
  model: "svc/chat-1",
  messages: [{ role: "user" as const, content }],
  ...more,
});

async function idsOf(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

describe("stored chat completions", () => {
  const account = shared(keeping);
  const openai = shared(() => clientOf(account));

  it("are listed, read, changed and deleted by the unmodified client", async () => {
    const { completions } = openai.chat;
    const made = [];
    for (const customer of ["acme", "apex", "acme"])
      made.push(
        await completions.create({ ...asked(`For ${customer}`), store: true, metadata: { customer } }),
      );
    await completions.create(asked("Not stored"));
    await completions.create({ ...asked("Declined"), store: false });
    const ids = made.map(({ id }) => id);
    expect(await idsOf(completions.list({ limit: 2 }))).toEqual(ids);
    expect(await idsOf(completions.list({ order: "desc" }))).toEqual(ids.toReversed());
    expect(await idsOf(completions.list({ metadata: { customer: "acme" } }))).toEqual([ids[0], ids[2]]);
    expect(await idsOf(completions.list({ model: "svc/chat-2" }))).toEqual([]);
    const [first = "", second = "", third = ""] = ids;
    const { svc_cost: _, ...whole } = made[0] as unknown as Fields;
    expect(await completions.retrieve(first)).toMatchObject({ ...whole, metadata: { customer: "acme" } });
    expect(await completions.update(first, { metadata: { customer: "zenith" } })).toMatchObject({
      metadata: { customer: "zenith" },
    });
    expect(await idsOf(completions.list({ metadata: { customer: "zenith" } }))).toEqual([first]);
    const messages = [];
    for await (const message of completions.messages.list(second)) messages.push(message);
    expect(messages).toMatchObject([{ role: "user", content: "For apex", id: `${second}-0` }]);
    expect(await completions.delete(third)).toMatchObject({ id: third, deleted: true });
    await expect(completions.retrieve(third)).rejects.toMatchObject({ status: 404 });
    expect(await idsOf(completions.list())).toEqual([first, second]);
  });

  it("are not stored where the account keeps nothing, and the answer says so", async () => {
    const other = await gateway.createAccount();
    const own = new OpenAI({ baseURL: gateway.url, apiKey: other.key });
    const stored = (client: OpenAI) =>
      client.chat.completions.create({ ...asked("Hello"), store: true }).withResponse();
    const { response } = await stored(own);
    expect(response.headers.get("x-svc-ignored-params")).toBe("store");
    const kept = await stored(openai);
    expect(kept.response.headers.get("x-svc-ignored-params")).toBeNull();
  });

  it("are out of reach for a key without the scope, also those that it stored itself", async () => {
    const own = new OpenAI({ baseURL: gateway.url, apiKey: account.key, maxRetries: 0 });
    const { id } = await own.chat.completions.create({ ...asked("Mine"), store: true });
    const refused = {
      status: 403,
      code: "insufficient_scope",
      message: expect.stringContaining("`contents`"),
    };
    await expect(own.chat.completions.list()).rejects.toMatchObject(refused);
    await expect(own.chat.completions.retrieve(id)).rejects.toMatchObject(refused);
    await expect(own.chat.completions.messages.list(id)).rejects.toMatchObject(refused);
    await expect(own.chat.completions.update(id, { metadata: {} })).rejects.toMatchObject(refused);
    await expect(own.chat.completions.delete(id)).rejects.toMatchObject(refused);
    const stranger = await clientOf(await keeping());
    await expect(stranger.chat.completions.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });

  it("do not list what was only kept", async () => {
    const { id } = await openai.chat.completions.create(asked("Kept"));
    await expect(openai.chat.completions.retrieve(id)).rejects.toMatchObject({ status: 404 });
    expect((await call(gateway, account.session, "GET", `/contents/${id}`)).status).toBe(200);
  });
});

describe("search and export", () => {
  const account = shared(keeping);
  const get = async (path: string) => (await call(gateway, account.session, "GET", path)).body;

  it("finds contents by their words, says how far it read, and leaves one audit row", async () => {
    const client = await clientOf(account);
    const headers = { "x-client-request-id": "the-call" };
    await client.chat.completions.create(asked("Where is the white whale?"), { headers });
    const { id } = await client.chat.completions.create({
      ...asked('The "Pequod" sails\nfrom Nantucket'),
      metadata: { customer: "acme" },
    });
    const found = await get(`/contents/search?query=${encodeURIComponent('nantucket "PEQUOD"')}`);
    expect(found).toMatchObject({ object: "contents_search", read: 2, next: null, data: [{ id }] });
    expect((found.data as { excerpt: string }[])[0]?.excerpt).toBe('The "Pequod" sails from Nantucket');
    expect((await get("/contents/search?query=pequod&metadata=customer%3Dapex")).data).toEqual([]);
    expect((await get("/contents/search?query=pequod&metadata=customer%3Dacme")).data).toHaveLength(1);
    const audits = await gateway.context.database.queries
      .select({ action: auditLogs.action, detail: auditLogs.detail })
      .from(auditLogs)
      .where(eq(auditLogs.accountId, account.accountId));
    const searches = audits.filter(({ action }) => action === "contents.searched");
    expect(searches).toHaveLength(3);
    expect(JSON.stringify(searches)).not.toContain("pequod");
  });

  it.each([
    ["status_class=2xx&route=completions&actor=key&contents=kept&console_reads=false", 2],
    ["client_request_id=the-call&status=200", 1],
    ["client_request_id=the-call&status_class=4xx", 0],
    ["actor=user", 0],
  ])("filters as the request log: %s", async (filter, count) => {
    const found = async () => {
      const { data } = await get(`/contents/search?query=${encodeURIComponent("e")}&${filter}`);
      return (data as unknown[]).length;
    };
    // The row of the log is written a moment after the answer.
    await expect.poll(found).toBe(count);
    const response = await fetch(`${gateway.url}/contents/export?${filter}`, {
      headers: { authorization: `Bearer ${account.session}` },
    });
    expect((await response.text()).split("\n").filter(Boolean)).toHaveLength(count);
  });

  it("runs one search of an account at a time", async () => {
    const leave = await gateway.context.limiter.occupy(`search in contents of ${account.accountId}`, 1);
    expect(await get("/contents/search?query=whale")).toMatchObject({
      error: { code: "contents_search_running" },
    });
    leave?.();
    expect((await get("/contents/search?query=whale")).read).toBe(2);
  });

  it("exports whole chats in the shape of fine-tuning", async () => {
    const response = await fetch(`${gateway.url}/contents/export?metadata=customer%3Dacme`, {
      headers: { authorization: `Bearer ${account.session}` },
    });
    expect(response.headers.get("content-type")).toContain("application/jsonl");
    const lines = (await response.text()).trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        messages: [
          { role: "user", content: 'The "Pequod" sails\nfrom Nantucket' },
          expect.objectContaining({ role: "assistant", content: expect.any(String) }),
        ],
      },
    ]);
  });
});
