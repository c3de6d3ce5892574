import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());

/** Generous for slow machines; without limits each of these took longer or crashed the process. */
const soonMs = 10_000;

async function send(method: string, path: string, text?: string) {
  const started = performance.now();
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${account.key}`,
      ...(text !== undefined && { "content-type": "application/json" }),
    },
    ...(text !== undefined && { body: text }),
  });
  const answer = await response.text();
  return { status: response.status, answer, ms: performance.now() - started };
}

const chat = (messages: string) => `{"model":"svc/chat-1","messages":[${messages}]}`;
const edit = (image: string) => `{"model":"svc/img-gen-a-1","prompt":"x","image":[${image}]}`;
const list = (item: string, count: number) => `${`${item},`.repeat(count - 1)}${item}`;

const differentNames = Array.from({ length: 80_000 }, (_, index) => `s${index}`);

describe("bodies that are crafted to be slow", () => {
  it.each([
    ["1.9 million zeros as messages", "/chat/completions", chat(list("0", 1_900_000)), "request_too_large"],
    ["4 MB of zeros as an image", "/images/edits", edit(list("0", 2_000_000)), "request_too_large"],
    ["60 MB of empty objects", "/images/edits", edit(list("{}", 20_000_000)), "request_too_large"],
    ["60 MB of brackets", "/images/edits", edit("[".repeat(60_000_000)), "request_too_large"],
    ["200 thousand zeros", "/images/edits", edit(list("0", 200_000)), "invalid_parameter"],
    [
      "60 thousand empty assistant messages",
      "/chat/completions",
      chat(list('{"role":"assistant"}', 60_000)),
      null,
    ],
    ["80 thousand different scopes", "/keys", JSON.stringify({ name: "x", scopes: differentNames }), null],
  ])("%s", async (_name, path, text, code) => {
    const { status, answer, ms } = await send("POST", path, text);
    expect(status).toBe(code === "request_too_large" ? 413 : 400);
    expect(JSON.parse(answer).error.code).toBe(code ?? "invalid_parameter");
    expect(answer.length).toBeLessThan(20_000);
    expect(ms).toBeLessThan(soonMs);
  });

  it("an address with thousands of values, of which the last cannot be stored", async () => {
    const { status, answer } = await send("GET", `/models?${"a&".repeat(6_000)}a=%00`);
    expect(status).toBe(400);
    expect(JSON.parse(answer).error.message).toBe("a must not contain the character U+0000");
  });

  it("still allow the longest chats", async () => {
    const { status } = await send(
      "POST",
      "/chat/completions",
      chat(list('{"role":"user","content":"a, b"}', 60_000)),
    );
    expect(status).toBe(200);
  });

  it("get an error that repeats only the beginning of a long word", async () => {
    const word = "n".repeat(900_000);
    for (const [method, path, body] of [
      ["POST", "/chat/completions", { model: word, messages: [] }],
      ["POST", "/keys", { name: "x", [word]: 1 }],
      ["POST", "/keys", { name: "x", models: [word] }],
      ["POST", "/images/edits", { model: "svc/img-gen-a-1", prompt: "x", image: [word] }],
      ["POST", "/videos", { model: "svc/vid-t2v", prompt: "x", region: word }],
      ["POST", "/videos", { model: "svc/vid-t2v", prompt: "x", [word]: "\0" }],
      ["POST", "/presets", { name: "x", model: word, api_type: "video-generation", input: {} }],
      ["POST", "/webhooks/endpoints", { url: `https://${word}` }],
    ] as const) {
      const { status, answer } = await send(method, path, JSON.stringify(body));
      expect(status, path).toBeGreaterThanOrEqual(400);
      expect(status, path).toBeLessThan(500);
      expect(answer.length, path).toBeLessThan(20_000);
    }
  });

  it("get an error that names at most 20 problems", async () => {
    const scopes = JSON.stringify(Array.from({ length: 100 }, (_, index) => `s${index}`));
    const key = JSON.parse((await send("POST", "/keys", `{"name":"x","scopes":${scopes}}`)).answer);
    expect(key.error.details).toHaveLength(20);
    const silent = await send("POST", "/chat/completions", chat(list('{"role":"assistant"}', 100)));
    expect(JSON.parse(silent.answer).error.details).toHaveLength(20);
  });
});

describe("values that cannot be stored", () => {
  const video = (prompt: string, more = "") => `{"model":"svc/vid-t2v","prompt":"${prompt}"${more}}`;
  const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
  it.each([
    ["U+0000 in a prompt", "POST", "/videos", video("a\\u0000b"), "prompt"],
    ["half of a surrogate pair", "POST", "/videos", video("a\\ud800b"), "prompt"],
    ["a number that is too large", "POST", "/videos", video("a", ',"more":[1e999]'), "more"],
    ["deep nesting", "POST", "/videos", video("a", `,"more":${deep}`), "more"],
    ["U+0000 in a name", "POST", "/videos", video("a", ',"more":{"a\\u0000":1}'), "more"],
    ["U+0000 in a name of the body", "POST", "/videos", video("a", ',"a\\u0000":1'), null],
    ["a key's name", "POST", "/keys", '{"name":"a\\u0000b"}', "name"],
    ["an e-mail", "POST", "/account/sessions", '{"email":"a\\u0000@b.c","password":"x"}', "email"],
    ["a leap second", "POST", "/keys", '{"name":"a","expires_at":"2030-12-31T23:59:60Z"}', "expires_at"],
    ["the year 0", "GET", "/predictions?created_after=0000-01-01T00:00:00Z", undefined, "created_after"],
    ["a path", "GET", "/predictions/%00", undefined, "id"],
    ["a path and a body", "PATCH", "/keys/%00", '{"monthly_budget":{"token":1}}', "id"],
    ["a query", "GET", "/predictions?model=%00", undefined, "model"],
    ["the usage's query", "GET", "/usage?model=%00", undefined, "model"],
    ["the audit log's query", "GET", "/audit_logs?action=%00", undefined, "action"],
    [
      "a leap second in a list filter",
      "GET",
      "/predictions?created_after=2026-06-30T23:59:60Z",
      undefined,
      "created_after",
    ],
    ["a status that is too large", "GET", "/requests?status=99999999999", undefined, "status"],
    ["an invalid URL", "GET", "/predictions/%zz", undefined, null],
  ])("%s", async (_name, method, path, text, param) => {
    const { status, answer } = await send(method, path, text);
    expect(status).toBe(400);
    expect(JSON.parse(answer).error).toMatchObject({
      type: "invalid_request_error",
      code: "invalid_parameter",
      param,
      request_id: expect.stringMatching(/^req_/),
    });
  });

  it("exclude no other text", async () => {
    const { status } = await send("POST", "/videos", video("\\u0001 \\ud83d\\ude00 é"));
    expect(status).toBe(202);
  });
});
