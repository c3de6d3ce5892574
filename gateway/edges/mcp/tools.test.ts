import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, vi } from "vitest";
import { reservedFiles } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call as ask, startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());

function address(): URL {
  return new URL("/mcp", gateway.url);
}

async function connected(key: string, options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, options);
  const transport = new StreamableHTTPClientTransport(address(), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>) {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
  const [first] = content;
  const text = first?.type === "text" ? first.text : "";
  return { structured: structuredContent as Record<string, unknown> | undefined, content, isError, text };
}

/** Runs a model with the example in its description. */
async function runExample(client: Client, model: string, more: Record<string, unknown> = {}) {
  const described = await call(client, "describe_model", { model });
  const { operations = [] } = described.structured as { operations?: { example_input: object }[] };
  const done = await call(client, "run", { model, input: operations[0]?.example_input, ...more });
  expect(done.isError, done.text).toBeFalsy();
  return { ...done, id: String(done.structured?.id) };
}

describe.each(["legacy", "auto"] as const)("an agent with a key, by the protocol of %s", (mode) => {
  const client = shared(() => connected(account.key, { versionNegotiation: { mode } }));

  it("speaks the version of its client", () => {
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25");
  });

  it("lists six tools with short descriptions", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "search_models",
      "describe_model",
      "run",
      "get_run",
      "cancel_run",
      "upload_link",
    ]);
    expect(JSON.stringify(tools).length).toBeLessThan(8_000);
  });

  it("finds a model, reads its description, and runs its example", async () => {
    const { structured } = await call(client, "search_models", { query: "chat" });
    const found = expect.arrayContaining([expect.objectContaining({ id: "svc/chat-1" })]);
    expect(structured).toMatchObject({ models: found });
    const done = await runExample(client, "svc/chat-1");
    expect(done.structured).toMatchObject({ status: "succeeded", output: expect.any(String) });
    expect(JSON.parse(done.text)).toEqual(done.structured);
  });

  it("gets speech as the URL of a file, never as base64", async () => {
    const done = await runExample(client, "svc/tts-b-1");
    expect(done.text).not.toContain("base64");
    const file = await fetch(String(done.structured?.output));
    expect(file.headers.get("content-type")).toMatch(/^audio\//);
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  });

  it("is not invited to run again what has run when the database fails", async () => {
    const { queries } = gateway.context.database;
    const insert = queries.insert.bind(queries);
    const failing = vi.spyOn(queries, "insert").mockImplementation((table) => {
      if (table === reservedFiles) throw new Error("Connection terminated unexpectedly");
      return insert(table) as never;
    });
    const described = await call(client, "describe_model", { model: "svc/tts-b-1" });
    const { operations = [] } = described.structured as { operations?: { example_input: object }[] };
    const ran = await call(client, "run", { model: "svc/tts-b-1", input: operations[0]?.example_input });
    failing.mockRestore();
    expect(ran.isError).toBe(true);
    expect(ran.text).toMatch(/^service_unavailable: .*The request may have run\.$/);
  });

  it("waits for a video, gets its status, and reads it again", async () => {
    const begun = await runExample(client, "svc/vid-t2v", { wait_seconds: 0 });
    expect(begun.structured).toMatchObject({ status: expect.stringMatching(/starting|processing/) });
    const { id } = begun;
    const told: (string | undefined)[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => void told.push(message);
    await client.callTool({ name: "get_run", arguments: { id, wait_seconds: 50 } }, { onprogress });
    expect(told[0]).toMatch(/starting|processing/);
    const read = () => call(client, "get_run", { id });
    await expect.poll(async () => (await read()).structured?.status).toBe("succeeded");
    const done = await read();
    expect(done.structured).toMatchObject({
      id,
      status: "succeeded",
      note: expect.stringContaining("sandbox"),
    });
    expect(done.text).toContain(String(done.structured?.output));
    expect((await fetch(String(done.structured?.output))).status).toBe(200);
  }, 120_000);

  it("sees a picture only on request", async () => {
    const plain = await runExample(client, "svc/img-gen-b");
    expect(plain.content.map(({ type }) => type)).toEqual(["text"]);
    const shown = await runExample(client, "svc/img-gen-b", { show: true });
    expect(shown.content.map(({ type }) => type)).toEqual(["text", "image"]);
  });

  it("cancels a run", async () => {
    const begun = await runExample(client, "svc/vid-t2v", { wait_seconds: 0 });
    const canceled = await call(client, "cancel_run", { id: begun.id });
    expect(canceled.structured).toMatchObject({ status: "canceled" });
  });

  it("runs a request once, however often it is sent", async () => {
    const asked = { wait_seconds: 0, idempotency_key: `once-${mode}` };
    const one = await runExample(client, "svc/img-gen-b", asked);
    const two = await runExample(client, "svc/img-gen-b", asked);
    expect(two.id).toBe(one.id);
  });

  it("uploads the person's file so that a model can read it", async () => {
    const bytes = new TextEncoder().encode("not quite a picture");
    const link = await call(client, "upload_link", { content_type: "image/png", size_bytes: bytes.length });
    const { upload_url: url, upload_headers: headers, reference } = link.structured ?? {};
    const sent = await fetch(String(url), {
      method: "PUT",
      headers: headers as Record<string, string>,
      body: bytes,
    });
    // The bytes are not a picture and are rejected as such; this only tests that the URL accepts them.
    expect([200, 422]).toContain(sent.status);
    expect(reference).toMatch(/^upload:|^upl_|^gatehouse:/);
  });

  it("gets a sentence that explains the mistake", async () => {
    const unknown = await call(client, "run", { model: "svc/nothing", input: {} });
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining("model_not_found") });
    const short = await call(client, "run", { model: "chat-1", input: {} });
    expect(short).toMatchObject({ isError: true, text: expect.stringContaining("Did you mean svc/chat-1?") });
    const wrong = await call(client, "run", { model: "svc/chat-1", input: { messages: "hello" } });
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining("messages must be") });
    for (const name of [
      "../account/keys",
      "../keys",
      "./keys",
      "svc/..",
      "svc/.",
      "svc/chat-1/x",
      "svc/",
      "svc",
    ]) {
      const strange = await call(client, "run", { model: name, input: {} });
      expect(strange, name).toMatchObject({
        isError: true,
        text: expect.stringContaining("model_not_found"),
      });
    }
    for (const tool of ["get_run", "cancel_run"])
      for (const id of ["..", ".", "../models", "pred_1/../../models", "%2e%2e"]) {
        const strange = await call(client, tool, { id });
        expect(strange, id).toMatchObject({
          isError: true,
          text: expect.stringContaining("There is no prediction"),
        });
      }
    const run = await call(client, "get_run", { id: "pred_00000000000000000000000000" });
    expect(run).toMatchObject({ isError: true, text: expect.stringContaining("prediction_not_found") });
  });

  it.each([
    [
      "run",
      { model: "svc/chat-1", input: {}, wait_secondz: 1 },
      "wait_secondz is unknown; did you mean wait_seconds?",
    ],
    ["run", { model: "svc/chat-1" }, "input is required"],
    ["get_run", { id: 5 }, "id must be a string"],
    ["search_models", { kind: "chat" }, "kind must be one of"],
    ["upload_link", { content_type: "image/png", size_bytes: "many" }, "size_bytes must be a whole number"],
  ])("learns which argument of %s is wrong: %j", async (tool, args, words) => {
    const told = await call(client, tool, args).then(
      ({ text }) => text,
      (error: Error) => error.message,
    );
    expect(told).toContain(words);
  });
});

describe("an agent cannot", () => {
  const swap = { model: "svc/swap-1", input: { person_rights_confirmed: true } };
  const adult = { model: "svc/adult-img-1", input: { prompt: "A portrait" } };

  it("confirm for a person", async () => {
    const client = await connected(account.key);
    const refused = await call(client, "run", swap);
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining("An agent cannot confirm"),
    });
    const silent = await call(client, "run", { model: "svc/swap-1", input: {} });
    expect(silent).toMatchObject({ isError: true, text: expect.stringContaining("/catalog/svc/swap-1") });
    await client.close();
  });

  it("run a gated model unless somebody chose it for its key and the person attested", async () => {
    const any = await connected(account.key);
    const chosen = await connected(
      await gateway.createKey(account.accountId, { models: ["svc/adult-img-1"] }),
    );
    await expect(call(chosen, "run", adult)).resolves.toMatchObject({
      isError: true,
      text: expect.stringContaining("adult_attestation_required"),
    });
    await gateway.attest(account, "adult");
    await expect(call(any, "run", adult)).resolves.toMatchObject({
      isError: true,
      text: expect.stringContaining("names it among its models"),
    });
    await any.close();
    await chosen.close();
  });

  it("reach another account's runs, or exceed the permissions of its key", async () => {
    const own = await connected(account.key);
    const begun = await runExample(own, "svc/img-gen-b", { wait_seconds: 0 });
    const other = await gateway.createAccount();
    const stranger = await connected(other.key);
    for (const tool of ["get_run", "cancel_run"])
      await expect(call(stranger, tool, { id: begun.id })).resolves.toMatchObject({
        isError: true,
        text: expect.stringContaining("prediction_not_found"),
      });
    const reader = await connected(await gateway.createKey(account.accountId, { scopes: ["uploads"] }));
    await expect(call(reader, "run", { model: "svc/chat-1", input: {} })).resolves.toMatchObject({
      isError: true,
      text: expect.stringContaining("insufficient_scope"),
    });
    await Promise.all([own.close(), stranger.close(), reader.close()]);
  });

  it("call from a web page whose origin no key allows", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const from = (origin: string, key = account.key) =>
      fetch(address(), {
        method: "POST",
        headers: {
          origin,
          authorization: `Bearer ${key}`,
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
        },
        body: JSON.stringify(message),
      });
    expect((await from("https://evil.example.com")).status).toBe(403);
    expect((await from("http://localhost.evil.example.com")).status).toBe(403);
    expect((await from("http://localhost:6274")).status).toBe(200);
    const origin = "https://app.example.com";
    const made = { name: "page", scopes: ["inference"], allowed_origins: [origin] };
    const { secret } = (await ask(gateway, account.session, "POST", "/keys", made)).body;
    const preflight = await fetch(address(), {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,mcp-protocol-version",
      },
    });
    expect(preflight.headers.get("access-control-allow-headers")).toContain("mcp-protocol-version");
    const listed = await from(origin, String(secret));
    expect([listed.status, listed.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
  });

  it("call anything without a key", async () => {
    const answer = await fetch(address(), { method: "POST", body: "{}" });
    expect(answer.status).toBe(401);
    await expect(connected("svc_live_wrong")).rejects.toThrow();
  });
});
