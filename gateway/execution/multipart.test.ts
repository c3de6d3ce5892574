import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestAccount, type TestGateway } from "#gateway/testing/gateway.ts";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = `data:image/png;base64,${pixel}`;

let gateway: TestGateway;
let account: TestAccount;
beforeAll(async () => {
  gateway = await startTestGateway();
  account = await gateway.createAccount();
});
afterAll(() => gateway.close());

/** The status and the error, if any, of a multipart body with these parts. */
async function send(path: string, parts: Record<string, string | Blob>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) form.set(name, value);
  return sendBody(path, form);
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

it("reads text parts whole, up to the size of a JSON body", async () => {
  const long = await send("/images/edits", { ...edit, image, prompt: "x".repeat(1_500_000) });
  expect(long.error).toMatchObject({ code: "input_too_large", message: expect.stringContaining("1500000") });
});

it("refuses text that is longer, in one part or in many", async () => {
  const parts = { model: "svc/tts-b-1", input: "x".repeat(1_000_001) };
  expect(await send("/audio/speech", parts)).toMatchObject({
    status: 413,
    error: { code: "request_too_large" },
  });
  const many = { model: "svc/tts-b-1", input: "x".repeat(600_000), more: "x".repeat(600_000) };
  expect(await send("/audio/speech", many)).toMatchObject({ error: { code: "request_too_large" } });
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

it("does not open lists of a million values", async () => {
  const answer = await send("/images/edits", { ...edit, image: `[${"{},".repeat(1_000_000)}{}]` });
  expect(answer).toMatchObject({ status: 413, error: { code: "request_too_large" } });
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
  expect((await sendJson(`[${"{},".repeat(1_000_000)}{}]`)).error).toMatchObject({
    code: "request_too_large",
  });
});
