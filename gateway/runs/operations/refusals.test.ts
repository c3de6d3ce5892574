import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "hello" }] };
const swap = { model: "svc/swap-1", person_rights_confirmed: true };
const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("rejections and their order", () => {
  const gateway = shared(startTestGateway);
  const account = shared(() => gateway.createAccount());
  const post = (path: string, body: unknown, bearer: string | null = account.key) =>
    call(gateway, bearer, "POST", path, body);

  it("answers every refusal with the same body, a request id and x-should-retry", async () => {
    const { status, body, headers } = await post("/chat/completions", { ...chat, model: "svc/nothing" });
    expect(status).toBe(404);
    expect(body.error).toMatchObject({ type: "not_found_error", code: "model_not_found", param: "model" });
    expect(headers.get("x-request-id")).toMatch(/^req_/);
    expect((body.error as { request_id: string }).request_id).toBe(headers.get("x-request-id"));
    expect(headers.get("x-should-retry")).toBe("false");
  });

  const text = "hello";
  const alias = /An alias can give this name to one of them: POST \/v1\/aliases with \{"name": "(\S+)", /;
  /** Every entrance, asked for a model. */
  const entrances: [method: string, path: string, body?: (model: string) => object][] = [
    ["POST", "/chat/completions", (model) => ({ ...chat, model })],
    ["POST", "/chat/completions", (model) => ({ ...chat, model, stream: true })],
    ["POST", "/responses", (model) => ({ model, input: text })],
    ["POST", "/responses/input_tokens", (model) => ({ model, input: text })],
    ["POST", "/responses/compact", (model) => ({ model, input: text })],
    ["POST", "/messages", (model) => ({ ...chat, model, max_tokens: 9 })],
    ["POST", "/messages/count_tokens", (model) => ({ ...chat, model })],
    ["POST", "/audio/speech", (model) => ({ model, input: text })],
    ["POST", "/audio/transcriptions", (model) => ({ model, audio: pixel })],
    ["POST", "/images/generations", (model) => ({ model, prompt: text })],
    ["POST", "/images/edits", (model) => ({ model, prompt: text, image: pixel })],
    ["POST", "/videos", (model) => ({ model, prompt: text })],
    ["POST", "/videos/generations", (model) => ({ model, prompt: text })],
    ["POST", "/embeddings", (model) => ({ model, input: text })],
    ["POST", "/rerank", (model) => ({ model, query: text, documents: [text] })],
    ["POST", "/batches", (model) => ({ model, rows: [{ messages: chat.messages }] })],
    ["POST", "/models/other/{model}/predictions", () => ({ input: { messages: chat.messages } })],
    ["GET", "/models/other/{model}"],
    ["GET", "/models/other/{model}/versions"],
  ];

  it.each(entrances)(
    "%s %s helps with a model that is not there, and runs none",
    async (method, path, body) => {
      const ask = async (model: string) => {
        const { status, body: answer } = await call(
          gateway,
          account.key,
          method,
          path.replace("{model}", model),
          body?.(model),
        );
        // Anthropic's clients get the error one level deeper, and no parameter.
        const error = (answer.error as { error?: object }).error ?? answer.error;
        expect([status, error]).toMatchObject([404, { code: "model_not_found" }]);
        return (error as { message: string }).message;
      };
      expect(await ask("Chat-1")).toMatch(
        /^There is no model (other\/)?Chat-1\. Did you mean svc\/chat-1\? GET /,
      );
      expect(await ask("chatt-1")).toContain("Did you mean svc/chat-1?");
      const unlike = await ask("gpt-4o");
      expect(unlike).not.toContain("Did you mean");
      expect(alias.exec(unlike)?.[1]).toMatch(/^(other\/)?gpt-4o$/);
      const long = await ask("m".repeat(150));
      expect(long).toMatch(/^There is no model (other\/)?m{93,99}…\. GET \/v1\/models lists them\.$/);
    },
  );

  it("names an alias only to those who can use one of its models, and links people to the page for a new one", async () => {
    const model = "svc/chat-1";
    await call(gateway, account.session, "POST", "/aliases", { name: "gpt-4o", models: [model] });
    const message = async (bearer: string, name = "gpt-4p") => {
      const { body } = await call(gateway, bearer, "POST", "/chat/completions", { ...chat, model: name });
      return (body.error as { message: string }).message;
    };
    const keyFor = async (more: object) =>
      String((await call(gateway, account.session, "POST", "/keys", { name: "k", ...more })).body.secret);
    const other = await keyFor({ scopes: ["inference"], models: ["svc/chat-2"] });
    expect(await message(account.session)).toContain("Did you mean gpt-4o?");
    expect(await message(other)).not.toContain("Did you mean");

    const { consoleUrl } = gateway.context.config;
    const link = `${consoleUrl}/a/${account.accountId}/aliases?name=acme%2Fgpt-9`;
    expect(await message(account.session, "acme/gpt-9")).toContain(`, or ${link}.`);
    const plain = await gateway.addMember(account, "member");
    expect(await message(plain.session, "acme/gpt-9")).not.toContain(consoleUrl);
    // A name that no alias can have.
    expect(await message(account.session, "what is this")).not.toMatch(alias);
    const open = await call(gateway, null, "GET", "/models/acme/gpt-9");
    expect((open.body.error as { message: string }).message).toBe(
      "There is no model acme/gpt-9. GET /v1/models lists them.",
    );
  });

  it.each([
    ["no key", null, 401, "missing_api_key"],
    ["a malformed key", "svc_live_nonsense", 401, "invalid_api_key"],
  ])("refuses %s before it reads the body", async (_name, bearer, status, code) => {
    const answer = await call(gateway, bearer, "POST", "/chat/completions", "not an object");
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatchObject({ code });
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  it("names the right scheme and a missing /v1 in the path; clients do not cache private answers", async () => {
    const authorization = `Basic ${btoa("me:secret")}`;
    const basic = await call(gateway, null, "GET", "/keys", undefined, { authorization });
    expect(basic.status).toBe(401);
    expect(JSON.stringify(basic.body)).toContain("Authorization: Bearer <key>");
    const empty = await call(gateway, null, "GET", "/keys", undefined, { authorization: "Bearer " });
    expect([empty.status, empty.body.error]).toMatchObject([
      401,
      { code: "invalid_api_key", message: expect.stringContaining("No key was sent after `Bearer`") },
    ]);
    const lacking = await fetch(new URL("/models/svc/chat-1", gateway.url));
    expect(lacking.status).toBe(404);
    expect(await lacking.text()).toContain("/v1/models/svc/chat-1");
    expect(await (await fetch(new URL("/nowhere", gateway.url))).text()).not.toContain("/v1");
    expect((await fetch(new URL("/healthz", gateway.url), { method: "HEAD" })).status).toBe(200);
    const own = await call(gateway, account.key, "GET", "/predictions");
    expect(own.headers.get("cache-control")).toBe("no-store");
  });

  it("refuses a key without the scope, and one that may not use the model or region", async () => {
    const reader = await gateway.createKey(account.accountId, { scopes: ["predictions"] });
    expect((await post("/chat/completions", chat, reader)).body.error).toMatchObject({
      code: "insufficient_scope",
    });
    const narrow = await gateway.createKey(account.accountId, {
      models: ["svc/chat-2"],
      regions: ["us-virginia"],
    });
    expect((await post("/chat/completions", chat, narrow)).body.error).toMatchObject({
      code: "model_not_allowed",
    });
    const here = await gateway.createKey(account.accountId, { regions: ["us-virginia"] });
    expect(
      (await post("/chat/completions", { ...chat, region: "us-oregon" }, here)).body.error,
    ).toMatchObject({
      code: "region_not_allowed",
    });
  });

  it("names the right API route when a model is sent to the wrong one", async () => {
    const { status, body } = await post("/images/generations", { ...chat, prompt: "x" });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: "operation_not_supported" });
    expect((body.error as { message: string }).message).toContain("/v1/chat/completions");
  });

  it.each([
    ["a missing field", { model: "svc/chat-1" }, "missing_parameter", "messages"],
    ["a number out of bounds", { ...chat, temperature: 3 }, "invalid_parameter", "temperature"],
    ["too many tokens", { ...chat, max_tokens: 32_769 }, "invalid_parameter", "max_tokens"],
    ["an assistant message without content", { ...chat, messages: [{ role: "assistant" }] }, null, null],
    ["an unknown region", { ...chat, region: "mars" }, "region_not_available", "region"],
  ])("refuses %s", async (_name, body, code, param) => {
    const answer = await post("/chat/completions", body);
    expect(answer.status).toBe(400);
    const error = answer.body.error as { code: string; param: string };
    if (code) expect(error.code).toBe(code);
    if (param) expect(error.param).toBe(param);
  });

  it("accepts an assistant with tool calls and no content, and names it does not list for CHAT-2", async () => {
    const calls = [{ id: "1", type: "function", function: { name: "f", arguments: "{}" } }];
    const messages = [
      { role: "user", content: "x" },
      { role: "assistant", content: null, tool_calls: calls },
      { role: "tool", content: "done", tool_call_id: "1" },
    ];
    expect((await post("/chat/completions", { ...chat, messages })).status).toBe(200);
    const answer = await post("/chat/completions", {
      ...chat,
      model: "svc/chat-2",
      max_tokens: 5,
      flavour: "mint",
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-svc-ignored-params")).toBe("flavour");
  });

  it("counts speech input in characters and refuses the 601st", async () => {
    const speech = { model: "svc/tts-b-1", input: "é".repeat(601) };
    expect((await post("/audio/speech", speech)).body.error).toMatchObject({
      code: "input_too_large",
      param: "input",
    });
  });

  it("accepts an assistant with tool calls and no content, and roles that the schema of CHAT-2 does not list", async () => {
    const large = { ...chat, messages: [{ role: "user", content: "x".repeat(4_000_001) }] };
    expect((await post("/chat/completions", large)).body.error).toMatchObject({ code: "request_too_large" });
    const broken = await fetch(`${gateway.url}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
      body: "{nope",
    });
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({ error: { code: "invalid_json" } });
  });

  it("distinguishes an unknown API route from a wrong method", async () => {
    expect((await call(gateway, account.key, "GET", "/nothing")).body.error).toMatchObject({
      code: "route_not_found",
    });
    const tried = async (path: string) => {
      const { body } = await call(gateway, account.key, "POST", path, {});
      return (body.error as { message: string }).message;
    };
    expect(await tried("/completions")).toContain("POST /v1/chat/completions");
    expect(await tried("/threads/thread_1/runs")).toContain("POST /v1/responses");
    expect(await tried("/constructor")).toBe("There is no POST /v1/constructor.");
    const wrong = await call(gateway, account.key, "DELETE", "/chat/completions");
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("GET, POST");
  });

  it("checks the three gates one after another, and at once after a withdrawal", async () => {
    const body = { ...swap, image: [pixel, pixel] };
    const code = async (changed: object = {}) =>
      ((await post("/images/edits", { ...body, ...changed })).body.error as { code: string } | undefined)
        ?.code;
    expect(await code()).toBe("adult_attestation_required");
    await gateway.attest(account, "adult");
    expect(await code()).toBe("portrait_rights_attestation_required");
    await gateway.attest(account, "portrait_rights");
    expect(await code({ person_rights_confirmed: false })).toBe("person_rights_confirmation_required");
    expect(await code({ person_rights_confirmed: undefined })).toBe("missing_parameter");
    expect(await code({ person_rights_confirmed: "yes" })).toBe("invalid_parameter");
    expect(await code()).toBeUndefined();
    await call(gateway, account.session, "DELETE", "/account/attestations/adult");
    expect(await code()).toBe("adult_attestation_required");
  });

  it("lets no account key attest", async () => {
    const answer = await post("/account/attestations", {
      kind: "adult",
      statement_version: "2026-11-01",
      confirmed: true,
    });
    expect(answer.status).toBe(403);
    expect(answer.body.error).toMatchObject({ code: "user_session_required" });
  });

  it("limits a key to its rate and names the time for a retry", async () => {
    const slow = await gateway.createKey(account.accountId, { requests_per_minute: 2 });
    await post("/chat/completions", chat, slow);
    await post("/chat/completions", chat, slow);
    const refused = await post("/chat/completions", chat, slow);
    expect(refused.status).toBe(429);
    expect(refused.body.error).toMatchObject({ code: "rate_limit_exceeded" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(refused.headers.get("x-ratelimit-limit-requests")).toBe("2");
  });

  it("keeps keys and sessions out of its log", async () => {
    await post("/chat/completions", chat);
    const log = gateway.logLines.join("\n");
    expect(log).toContain("req_");
    expect(log).not.toContain(account.key);
    expect(log).not.toContain(account.session);
  });
});
