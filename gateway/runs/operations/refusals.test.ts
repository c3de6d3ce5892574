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

  it.each<[string, string, object?]>([
    ["POST", "/chat/completions", { ...chat, model: "chat-1" }],
    ["POST", "/chat/completions", { ...chat, model: "openai/Chat-1" }],
    ["POST", "/responses", { model: "chat-1", input: "hello" }],
    ["POST", "/messages", { ...chat, model: "chat-1", max_tokens: 9 }],
    ["POST", "/messages/count_tokens", { ...chat, model: "chat-1" }],
    ["POST", "/models/other/chat-1/predictions", { input: { messages: chat.messages } }],
    ["POST", "/batches", { model: "chat-1", rows: [{ messages: chat.messages }] }],
    ["GET", "/models/other/chat-1"],
    ["GET", "/models/other/chat-1/versions"],
  ])("%s %s asks for the model that was probably meant, and runs none", async (method, path, body) => {
    const answer = await call(gateway, account.key, method, path, body);
    expect(answer.status).toBe(404);
    expect(answer.body.error).toMatchObject({
      code: "model_not_found",
      message: expect.stringMatching(
        /^There is no model \S+\. Did you mean svc\/chat-1\? GET \/v1\/models lists them\.$/,
      ),
    });
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
    expect(wrong.headers.get("allow")).toBe("POST");
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
