import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { shared } from "#gateway/testing/fixture.ts";
import { startTestGateway } from "#gateway/testing/gateway.ts";

const gateway = shared(startTestGateway);
const account = shared(() => gateway.createAccount());

/** Sends bytes on a new connection; returns the whole answer until the gateway closes it. */
async function exchange(...parts: string[]) {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  for (const part of parts) socket.write(part);
  const interim = /^HTTP\/1\.1 100 .*\r\n\r\n/;
  const [head = "", body = ""] = (await text(socket)).replace(interim, "").split("\r\n\r\n");
  const [start = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(": ", 2) as [string, string]));
  return { status: Number(start.split(" ")[1]), headers, body: JSON.parse(body) };
}

const head = (more: string) => `GET /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`;

describe("requests that are refused before routing", () => {
  it.each([
    ["headers beyond 16 kB", 431, "headers_too_large", [head(`X-Long: ${"a".repeat(20_000)}\r\n`)]],
    ["headers of a megabyte", 431, "headers_too_large", [head(`X-Long: ${"a".repeat(1_000_000)}\r\n`)]],
    ["bytes that are not HTTP", 400, "malformed_request", ["hello\r\n\r\n"]],
    ["a header without a name", 400, "malformed_request", [head(": nothing\r\n")]],
    [
      "a chunk without a length",
      400,
      "malformed_request",
      ["POST /v1/account/sessions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", "zz\r\n"],
    ],
    ["an expectation that cannot be met", 417, "expectation_failed", [head("Expect: miracles\r\n")]],
    ["a URL that cannot be read", 400, "invalid_parameter", [head("").replace("models", "%zz")]],
  ])("%s: the usual error, with a request id", async (_name, status, code, parts) => {
    const answer = await exchange(...parts);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatchObject({ code, type: "invalid_request_error", param: null });
    expect(answer.body.error.request_id).toMatch(/^req_/);
    expect(answer.headers.get("x-request-id")).toBe(answer.body.error.request_id);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(answer.headers.get("x-should-retry")).toBe("false");
  });

  it("is in the log under its id, but its bytes are not", async () => {
    const { body } = await exchange(head(`Authorization: Bearer ${account.key}\r\n: nothing\r\n`));
    const line = gateway.logLines.find((logged) => logged.includes(body.error.request_id));
    expect(JSON.parse(line ?? "{}")).toMatchObject({ status: 400, code: "malformed_request" });
    expect(gateway.logLines.join()).not.toContain(account.key);
  });

  it("accepts a body that waits for 100-continue", async () => {
    const body = JSON.stringify({ email: account.email, password: "not-the-password" });
    const answer = await exchange(
      "POST /v1/account/sessions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\n" +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      body,
    );
    expect(answer.body.error.code).toBe("invalid_credentials");
  });
});

describe("bodies that cannot be read", () => {
  const send = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const response = await fetch(`${gateway.url}/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${account.key}`,
        "content-type": "application/json",
        ...headers,
      },
      body,
    });
    const { error } = (await response.json()) as { error: { code: string; message: string; param: unknown } };
    return { status: response.status, headers: response.headers, error };
  };
  const chat = (more: string) => `{"model":"svc/chat-1","messages":[{"role":"user","content":"a"${more}}]}`;

  it.each(["gzip", "br", "zstd", "GZIP, identity"])(
    "are 415 with the content encoding %s",
    async (encoding) => {
      const { status, headers, error } = await send(gzipSync(chat("")), { "content-encoding": encoding });
      expect({ status, code: error.code }).toEqual({ status: 415, code: "unsupported_media_type" });
      expect(error.message).toContain("Content-Encoding");
      expect(headers.get("accept-encoding")).toBe("identity");
    },
  );

  it("are 400 when they are not JSON or have a forbidden field name", async () => {
    expect((await send("{")).error.code).toBe("invalid_json");
    const proto = await send(chat(',"__proto__":{"a":1}'));
    expect(proto).toMatchObject({ status: 400, error: { code: "invalid_parameter", param: "messages" } });
    expect(proto.error.message).toContain("__proto__");
    expect((await send('{"__proto__":1}')).error.code).toBe("invalid_parameter");
  });

  it("are read with `Content-Encoding: identity`, a byte order mark, and a field called `constructor`", async () => {
    const body = `\uFEFF{"model":"svc/chat-1","messages":[],"user":{"constructor":{"prototype":1}}}`;
    const { error } = await send(body, { "content-encoding": "identity" });
    expect(error).toMatchObject({ code: "invalid_parameter", param: "messages" });
  });
});
