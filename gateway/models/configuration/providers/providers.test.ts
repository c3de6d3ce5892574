import { describe, expect, it, vi } from "vitest";
import type { OperatorProvider, ProviderTest } from "#contract/operator/providers.ts";
import { startOpenAiServer } from "#gateway/models/providers/testing/openai-server.ts";
import type { Trouble } from "#gateway/models/providers/testing/upstream-server.ts";
import { englishOf } from "#gateway/platform/core/sentences.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";
import { findLocalServers } from "./providers.ts";

const secret = "sk-the-secret-key-of-a-test-0001";
const gateway = shared(() => startTestGateway({ role: "api" }));
// The first account's owner is the operator.
const account = shared(() => gateway.createAccount());
const upstream = shared(startOpenAiServer);

const ask = (method: string, path: string, body?: unknown) =>
  call(gateway, account.session, method, `/operator${path}`, body);

async function connect(name: string, more: object = {}): Promise<OperatorProvider> {
  const { status, body } = await ask("POST", "/providers", {
    name,
    protocol: "openai",
    base_url: `${upstream.origin}/v1`,
    credentials: { "us-virginia": { key: secret } },
    allow_private: true,
    ...more,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body as unknown as OperatorProvider;
}

async function lastChange(): Promise<{ id: string; undoable: boolean }> {
  const { body } = await ask("GET", "/changes");
  return (body.data as { id: string; undoable: boolean }[])[0] ?? { id: "", undoable: false };
}

describe("a provider of an operator", () => {
  it("is returned without its key, which is stored only sealed", async () => {
    const made = await connect("Mine");
    expect(made).toMatchObject({
      name: "Mine",
      managed_by: "console",
      imports: "listed",
      service_paths: false,
      status: "active",
      credentials: [{ region: "us-virginia", has_key: true, key_hint: "0001", ref: null }],
    });
    const { body: list } = await ask("GET", "/providers");
    const { body: log } = await call(gateway, account.session, "GET", "/audit_logs");
    const { rows } = await gateway.context.database.pool.query(
      "select (select json_agg(c) from provider_connections c)::text as stored, (select json_agg(a) from audit_logs a)::text as log",
    );
    const everywhere = JSON.stringify([made, list, log, rows, gateway.logLines]);
    expect(everywhere).toContain("provider.created");
    expect(everywhere).not.toContain(secret);
    expect(everywhere).not.toContain("the-secret-key");
  });

  it("changes only the fields that are sent, region by region", async () => {
    const { id } = await connect("Changing", { settings: { media: "url" } });
    const changes = { credentials: { "us-oregon": {}, "us-virginia": null } };
    const { body } = await ask("PATCH", `/providers/${id}`, changes);
    expect(body).toMatchObject({
      settings: { media: "url" },
      credentials: [{ region: "us-oregon", has_key: false }],
    });
    const none = await ask("PATCH", "/providers/Changing", { credentials: { "us-oregon": null } });
    expect(none.body.error).toMatchObject({ code: "invalid_parameter", param: "credentials" });
  });

  it.each<[string, object, string]>([
    [
      "a private address",
      { base_url: "https://10.0.0.5/v1", allow_private: false },
      "private_address_not_allowed",
    ],
    [
      "a name of this machine",
      { base_url: "https://localhost/v1", allow_private: false },
      "private_address_not_allowed",
    ],
    ["plain http", { base_url: "http://8.8.8.8/v1", allow_private: false }, "private_address_not_allowed"],
    ["a metadata service", { base_url: "http://169.254.169.254/v1" }, "invalid_parameter"],
    ["a key in the address", { base_url: "https://me:key@example.com/v1" }, "invalid_parameter"],
    [
      "a region without an address",
      { protocol: "dashscope", base_url: null, credentials: { "jp-tokyo": {} } },
      "invalid_parameter",
    ],
    [
      "a setting of the gateway as a key",
      { credentials: { "us-virginia": { ref: "env:AUTH_SECRET" } } },
      "invalid_parameter",
    ],
    [
      "a file elsewhere",
      { credentials: { "us-virginia": { ref: "file:/etc/passwd" } } },
      "invalid_parameter",
    ],
    [
      "a variable that is not for keys",
      { credentials: { "us-virginia": { ref: "env:POSTGRES_PASSWORD" } } },
      "invalid_parameter",
    ],
    [
      "a variable that is not set",
      { credentials: { "us-virginia": { ref: "env:GATEHOUSE_KEY_NOT_SET" } } },
      "invalid_parameter",
    ],
    ["a name that is taken", { name: "mine" }, "provider_exists"],
    ["an unknown field", { api_key: "x" }, "invalid_parameter"],
  ])("is refused with %s", async (_, more, code) => {
    const { body } = await ask("POST", "/providers", {
      name: "refused",
      protocol: "openai",
      base_url: "https://api.example.com/v1",
      allow_private: true,
      ...more,
    });
    expect(body.error, JSON.stringify(body)).toMatchObject({ code });
  });
});

it("sends a key reference only for key variables; a reference of an earlier release stays, and is sent to no other server", async () => {
  process.env.GATEHOUSE_KEY_TEST = "a-key-for-tests";
  process.env.TEST_OLD_REFERENCE = "a-secret-of-the-process";
  try {
    const made = await connect("Referred", {
      credentials: { "us-virginia": { ref: "env:GATEHOUSE_KEY_TEST" } },
    });
    expect(made.credentials).toMatchObject([{ ref: "env:GATEHOUSE_KEY_TEST", ref_permitted: true }]);
    const credentials = { "us-virginia": { ref: "env:TEST_OLD_REFERENCE" } };
    const { status, body } = await ask("PATCH", `/providers/${made.id}`, { credentials });
    expect(status).toBe(400);
    expect(JSON.stringify(body.error)).toMatch(/GATEHOUSE_KEY_.*PROVIDER_KEY_VARIABLES/);

    await gateway.context.database.pool.query(
      "update provider_connections set credentials = $1 where id = $2",
      [credentials, made.id],
    );
    const kept = await ask("PATCH", `/providers/${made.id}`, { credentials });
    expect(kept.body).toMatchObject({
      problem: null,
      credentials: [{ ref: "env:TEST_OLD_REFERENCE", ref_permitted: false }],
    });
    const elsewhere = { base_url: "https://example.com/v1", credentials };
    expect((await ask("PATCH", `/providers/${made.id}`, elsewhere)).status).toBe(400);
    await ask("DELETE", `/providers/${made.id}`);
  } finally {
    delete process.env.GATEHOUSE_KEY_TEST;
    delete process.env.TEST_OLD_REFERENCE;
  }
});

it("a stored key is sent only to the server that it was entered for", async () => {
  const { id } = await connect("Moved");
  const elsewhere = { base_url: "https://example.com/v1" };
  const refused = await ask("PATCH", `/providers/${id}`, elsewhere);
  expect(refused.body.error).toMatchObject({ code: "invalid_parameter", param: "credentials" });
  const credentials = { "us-virginia": { key: "the-key-of-the-other-server" } };
  expect((await ask("PATCH", `/providers/${id}`, { ...elsewhere, credentials })).status).toBe(200);
});

describe("undoing a change of a provider", () => {
  it("restores a previous address and key, and a deleted provider", async () => {
    const { id } = await connect("Undone");
    const stored = async () => {
      const { rows } = await gateway.context.database.pool.query(
        "select base_url, credentials, gone_at from provider_connections where id = $1",
        [id],
      );
      return rows[0];
    };
    const before = await stored();
    const credentials = { "us-virginia": { key: "another-key-of-the-same-length" } };
    await ask("PATCH", `/providers/${id}`, { base_url: "https://example.com/v1", credentials });
    const changed = await lastChange();
    expect(changed.undoable).toBe(true);
    const undone = await ask("POST", `/changes/${changed.id}/undo`);
    expect(undone.body).toMatchObject({ action: "provider.updated", target_id: id, undoable: true });
    expect(await stored()).toEqual(before);
    const again = await ask("POST", `/changes/${changed.id}/undo`);
    expect(again.body.error).toMatchObject({ code: "change_not_undoable" });

    const deleted = await ask("DELETE", `/providers/${id}`);
    expect([deleted.status, deleted.body.deleted]).toEqual([200, true]);
    expect((await ask("GET", `/providers/${id}`)).status).toBe(404);
    await ask("POST", `/changes/${(await lastChange()).id}/undo`);
    expect((await ask("GET", `/providers/${id}`)).body).toMatchObject({ name: "Undone", status: "active" });
    expect(await stored()).toEqual(before);
  });
});

describe("the test of a provider", () => {
  const page = "<!doctype html><title>Sign in</title>";
  it.each<[string, Trouble, RegExp]>([
    [
      "a refused key",
      { status: 401, json: { error: { message: `Wrong key ${secret}` } } },
      /key was refused.*Wrong key \[key\]$/,
    ],
    ["a wrong clock", { status: 403, headers: { date: "Mon, 01 Jan 2024 00:00:00 GMT" } }, /check the clock/],
    ["a proxy's page", { status: 200, text: page }, /web page.*proxy/i],
    ["a wrong path", { status: 404 }, /has no \/v1\/models.*base URL/],
    [
      "another address",
      { status: 301, headers: { location: "https://new.example/v1" } },
      /https:\/\/new\.example/,
    ],
    ["a failure", { status: 500, json: { detail: "out of memory" } }, /HTTP 500.*out of memory/],
    ["no answer", "reset", /closed without an answer/],
    ["half an answer", "broken-json", /not with JSON/],
  ])("explains the problem in plain words: %s", async (_, trouble, words) => {
    const name = "Tested";
    if ((await ask("GET", `/providers/${name}`)).status === 404) await connect(name);
    upstream.trouble(/models/, trouble);
    const { status, body } = await ask("POST", `/providers/${name}/test`);
    expect([status, body.ok], JSON.stringify(body)).toEqual([200, false]);
    expect(body.message).toMatch(words);
    expect(body.message).not.toContain(secret);
    const [region] = body.regions as ProviderTest["regions"];
    expect(englishOf(...(region?.message_codes ?? []))).toBe(region?.message);
  });

  it("recognises a closed port, a name that does not exist, and a server without TLS", async () => {
    const { port } = new URL(upstream.origin);
    const places = [
      ["http://127.0.0.1:9/v1", /Nothing listens at 127\.0\.0\.1:9/],
      ["https://nowhere.invalid/v1", /no host nowhere\.invalid/],
      [`https://127.0.0.1:${port}/v1`, /does not speak https/],
    ] as const;
    for (const [index, [base_url, words]] of places.entries()) {
      const { id } = await connect(`Place ${index}`, { base_url });
      const { body } = await ask("POST", `/providers/${id}/test`);
      expect(body.message).toMatch(words);
      const listed = await ask("GET", `/providers/${id}/models`);
      expect([listed.status, listed.body.error]).toMatchObject([502, { code: "provider_test_failed" }]);
    }
  });

  it("sends no request that costs money, and finds models while the operator types", async () => {
    await connect("Good");
    upstream.seen.length = 0;
    const { body } = await ask("POST", "/providers/Good/test");
    expect(body).toMatchObject({
      ok: true,
      message: "It lists 5 models.",
      regions: [{ region: "us-virginia" }],
    });
    const found = await ask("GET", "/providers/Good/models?q=vision%20big");
    expect(found.body.data).toMatchObject([{ id: "big-vision" }]);
    expect(upstream.created()).toEqual([]);
    expect(upstream.at(0).headers.authorization).toBe(`Bearer ${secret}`);
    const { port } = new URL(upstream.origin);
    // A server that answers late is left out.
    await vi.waitFor(async () => {
      const offered = await findLocalServers(gateway.context, [[Number(port), "ollama"]]);
      expect(offered).toMatchObject([{ name: "Ollama", model_count: 5, connected_as: expect.any(String) }]);
    });
  });
});
