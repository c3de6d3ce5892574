import { readdirSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { reservedFiles, uploads } from "#gateway/platform/database/schema.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = `data:image/png;base64,${pixel}`;

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());

/** Sends these parts as a multipart body; returns the status and the error, if any. */
async function send(path: string, parts: Record<string, string | Blob>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) form.set(name, value);
  return sendBody(path, form);
}

async function sendForm(path: string, parts: Record<string, string | Blob>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(parts)) body.set(name, value);
  const headers = { authorization: `Bearer ${account.key}` };
  const response = await fetch(`${gateway.url}${path}`, { method: "POST", headers, body });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

async function sendBody(path: string, body: FormData | string, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, ...headers },
    body,
  });
  const answer = (await response.json()) as {
    error?: { code: string; param: string | null; message: string };
  };
  return { status: response.status, error: answer.error };
}

const edit = { model: "svc/img-gen-a-1", prompt: "make it blue" };

it("reads text parts up to the size of a JSON body", async () => {
  const long = await send("/images/edits", { ...edit, image, prompt: "x".repeat(1_500_000) });
  expect(long.error).toMatchObject({ code: "input_too_large", message: expect.stringContaining("1500000") });
});

it("refuses text that is longer, in one part or in many", async () => {
  const parts = { model: "svc/voice-1", preview_text: "x".repeat(42_000_001) };
  expect(await send("/audio/voices", parts)).toMatchObject({
    status: 413,
    error: { code: "request_too_large" },
  });
  const many = { model: "svc/asr-1", audio: "x".repeat(9_000_000), more: "x".repeat(9_000_000) };
  expect(await send("/audio/transcriptions", many)).toMatchObject({ error: { code: "request_too_large" } });
});

it("refuses text that cannot be stored, also in JSON written in a text", async () => {
  expect((await send("/images/edits", { ...edit, image, prompt: "a\0b" })).error).toMatchObject({
    code: "invalid_parameter",
    param: "prompt",
  });
  expect(
    (await send("/images/edits", { ...edit, image, parameters: '{"a":"\\u0000"}' })).error,
  ).toMatchObject({
    code: "invalid_parameter",
    param: "parameters",
  });
});

it("refuses lists of a million values", async () => {
  const image = `[${"{},".repeat(1_000_000)}{}]`;
  const answer = await send("/images/edits", { ...edit, image });
  expect(answer).toMatchObject({ status: 413, error: { code: "request_too_large" } });
  // Behind much white space it is an ordinary text, which is never parsed.
  const behind = await send("/images/edits", { ...edit, image: `${" ".repeat(2_000)}${image}` });
  expect(behind).toMatchObject({ status: 400, error: { param: "image" } });
});

it("reads JSON parts, bounded too", async () => {
  const body = (parameters: string) =>
    [
      ["model", "text/plain", edit.model],
      ["prompt", "text/plain", edit.prompt],
      ["image", "text/plain", image],
      ["parameters", "application/json", parameters],
    ]
      .map(
        ([name, type, value]) =>
          `--b\r\ncontent-disposition: form-data; name="${name}"\r\ncontent-type: ${type}\r\n\r\n${value}\r\n`,
      )
      .join("");
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const sendJson = (text: string) => sendBody("/images/edits", `${body(text)}--b--\r\n`, headers);
  expect((await sendJson('{"watermark":false}')).status).toBe(200);
  expect((await sendJson("[1]")).error).toMatchObject({ param: "parameters" });
  expect((await sendJson("{")).error).toMatchObject({ code: "invalid_json" });
  for (const space of ["", " ".repeat(2_000)])
    expect((await sendJson(`${space}[${"{},".repeat(1_000_000)}{}]`)).error).toMatchObject({
      code: "request_too_large",
    });
});

it("reads text in UTF-8, and in Latin-1, which Java's clients send", async () => {
  for (const encoding of ["utf8", "latin1"] as const) {
    const parts = [
      ["model", "svc/vid-t2v"],
      ["prompt", "une forêt à midi"],
    ].map(([name, text]) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`);
    const response = await fetch(`${gateway.url}/videos/generations`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, ...boundary },
      body: Buffer.from(`${parts.join("")}--b--\r\n`, encoding),
    });
    const { id, input } = (await response.json()) as Record<string, unknown>;
    expect(input).toMatchObject({ prompt: "une forêt à midi" });
    await call(gateway, account.key, "POST", `/predictions/${id}/cancel`);
  }
});

const crlf = (...lines: string[]) => lines.join("\r\n");
const filePart = crlf(
  "--b",
  'content-disposition: form-data; name="image"; filename="a.png"',
  "content-type: image/png",
  "",
  "PNG",
);
const boundary = { "content-type": "multipart/form-data; boundary=b" };

it.each<[string, Record<string, string>, string]>([
  ["without a boundary", { "content-type": "multipart/form-data" }, "--b--"],
  ["of JSON", boundary, JSON.stringify(edit)],
  [
    "that ends within a text",
    boundary,
    crlf("--b", 'content-disposition: form-data; name="prompt"', "", "x"),
  ],
  ["that ends within a file", boundary, filePart],
  ["that ends within the headers of a part", boundary, crlf("--b", "content-disposition: form-")],
  [
    "with a part without a name",
    boundary,
    crlf("--b", "content-disposition: form-data", "", "x", "--b--", ""),
  ],
  [
    "with a name from the prototype",
    boundary,
    crlf("--b", 'content-disposition: form-data; name="__proto__"', "", "x", "--b--", ""),
  ],
])("answers 400 to a %s body, on every route that takes files", async (_what, headers, body) => {
  for (const path of ["/images/edits", "/audio/transcriptions", "/audio/voices", "/videos"])
    expect(await sendBody(path, body, headers)).toMatchObject({
      status: 400,
      error: { code: "malformed_request" },
    });
});

it.each([
  ["multipart/form-data; boundary=b", "/chat/completions"],
  ["multipart/form-data; boundary=b", "/audio/speech"],
  ["multipart/form-data; boundary=b", "/images/generations"],
  ["multipart/form-data; boundary=b", "/models/svc/img-gen-a-1/predictions"],
  ["multipart/form-data; boundary=b", "/keys"],
  ["text/plain", "/chat/completions"],
  ["text/plain", "/images/edits"],
  ["application/x-www-form-urlencoded", "/videos"],
])("answers 415 to %s on %s", async (type, path) => {
  expect(await sendBody(path, "--b--", { "content-type": type })).toMatchObject({
    status: 415,
    error: { code: "unsupported_media_type" },
  });
});

it("refuses more than 50 parts", async () => {
  const parts = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`p${index}`, "x"]));
  expect(await send("/images/edits", { ...edit, ...parts })).toMatchObject({ status: 413 });
});

describe("files of a multipart body", () => {
  const png = new Blob([Buffer.from(pixel, "base64")], { type: "image/png" });
  const photo = new File([png], "a.png", { type: "image/png" });

  /**
   * Everything that a request stored: rows of uploads and reservations, and objects. Its folder is removed
   * soon after the answer.
   */
  async function traces() {
    const { database, scratch, config } = gateway.context;
    const rows = await database.queries.select({ id: uploads.id }).from(uploads);
    const reserved = await database.queries.select({ id: reservedFiles.id }).from(reservedFiles);
    const objects = readdirSync(path.join(config.dataDir, "files/objects"), { recursive: true })
      .map(String)
      .filter((file) => file.endsWith(".bin"));
    await expect.poll(() => readdirSync(scratch.folder)).toEqual([]);
    return { rows, reserved, objects };
  }

  it.each<[string, string, Record<string, string | Blob>, string]>([
    ["an unknown model", "/images/edits", { ...edit, model: "svc/nothing", image: photo }, "model_not_found"],
    [
      "a wrong operation",
      "/images/edits",
      { ...edit, model: "svc/asr-1", image: photo },
      "operation_not_supported",
    ],
    ["a missing field", "/images/edits", { image: photo, model: edit.model }, "missing_parameter"],
    [
      "a closed gate",
      "/images/edits",
      { ...edit, model: "svc/adult-edit", image: photo },
      "adult_attestation_required",
    ],
    [
      "a field that expects text",
      "/images/edits",
      { ...edit, image: photo, size: photo },
      "invalid_parameter",
    ],
    ["an unknown field", "/images/edits", { image: photo, mask: photo, ...edit }, "invalid_parameter"],
    [
      "bytes that are not a picture",
      "/images/edits",
      { ...edit, image: new File(["text"], "a.png") },
      "unsupported_content_type",
    ],
  ])("leave nothing behind when the request is refused for %s", async (_what, path, parts, code) => {
    const before = await traces();
    expect(await send(path, parts)).toMatchObject({ error: { code } });
    expect(await traces()).toEqual(before);
  });

  it("leave nothing behind when the budget is spent or the answer is replayed", async () => {
    const form = () => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...edit, image: photo })) body.set(name, value);
      return body;
    };
    const headers = { "idempotency-key": "same-files" };
    expect((await sendBody("/images/edits", form(), headers)).status).toBe(200);
    const before = await traces();
    expect((await sendBody("/images/edits", form(), headers)).status).toBe(200);
    const broke = await gateway.createKey(account.accountId, { monthly_budget: { generation: 0.5 } });
    const paid = { authorization: `Bearer ${broke}` };
    await sendBody("/images/edits", form(), paid);
    const spent = await traces();
    expect((await sendBody("/images/edits", form(), paid)).error?.code).toBe("budget_exceeded");
    expect(await traces()).toEqual(spent);
    expect(before.rows).toEqual(spent.rows);
  });

  it("are edited, and only the result is stored", async () => {
    const before = await traces();
    const single = await send("/images/edits", { ...edit, image: photo });
    expect(single.error).toBeUndefined();
    const after = await traces();
    expect(after.rows).toEqual(before.rows);
    expect(after.objects).toHaveLength(before.objects.length + 1);
  });

  it("are stored with an async run, which shows them as reusable URLs", async () => {
    await gateway.attest(account, "adult");
    const { answer } = await sendForm("/videos/generations", {
      model: "svc/adult-i2v-2",
      prompt: "waves",
      seconds: "5",
      image: photo,
    });
    expect(answer).toMatchObject({ object: "prediction", input: { duration: 5 } });
    const { image: address } = answer.input as { image: string };
    expect(Buffer.from(await (await fetch(address)).arrayBuffer()).toString("base64")).toBe(pixel);
    await call(gateway, account.key, "POST", `/predictions/${answer.id}/cancel`);
  });

  it("cannot be referenced by a text field", async () => {
    const forged = { ...edit, image: "request-file:00000000000000000000000000000000" };
    expect((await send("/images/edits", forged)).error).toMatchObject({ code: "media_fetch_failed" });
  });

  it.each<[string, string[], string, number]>([
    ["the operation's limit once the model is known", ["svc/asr-1"], "input_too_large", 400],
    ["the route's limit before that", [], "request_too_large", 413],
  ])("are read up to %s", async (_what, models, code, status) => {
    const before = await traces();
    let sent = 0;
    async function* endless() {
      for (const model of models)
        yield crlf("--b", 'content-disposition: form-data; name="model"', "", model, "");
      yield crlf("--b", 'content-disposition: form-data; name="file"; filename="a.wav"', "", "");
      for (;;) {
        sent += 1_000_000;
        yield Buffer.alloc(1_000_000);
      }
    }
    const answer = await new Promise<{ status?: number; text: string }>((resolve, reject) => {
      const sending = request(`${gateway.url}/audio/transcriptions`, {
        method: "POST",
        headers: { authorization: `Bearer ${account.key}`, ...boundary },
      });
      const body = Readable.from(endless());
      sending.on("error", reject).on("response", (response) => {
        body.destroy();
        text(response).then((read) => {
          sending.destroy();
          resolve({ status: response.statusCode ?? 0, text: read });
        }, reject);
      });
      body.pipe(sending);
    });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code } });
    expect(sent).toBeLessThan(60_000_000);
    expect(await traces()).toEqual(before);
  });
});
