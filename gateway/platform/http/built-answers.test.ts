import { request as httpRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { clientAddressHeader } from "#contract/client-address.ts";
import { ownEntries } from "#gateway/models/catalog/entries.ts";
import { asPublished } from "#gateway/models/catalog/entry.ts";
import { signClientAddress } from "#gateway/platform/core/trusted-proxies.ts";
import { shared } from "#gateway/testing/fixture.ts";
import { call, startTestGateway } from "#gateway/testing/gateway.ts";

/** Low, so that hardly anything is refilled during a test. */
const publicRequestsPerMinute = 2;

const gateway = shared(() => startTestGateway({ role: "api", publicRequestsPerMinute }));

let asked = 0;

/**
 * The answer as sent over the wire, because `fetch` would decompress it. Each request comes from another
 * address.
 */
async function raw(path: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<import("node:http").IncomingMessage>();
  asked += 1;
  const all = { ...from(`203.0.113.${asked}`), ...headers };
  httpRequest(`${gateway.url}${path}`, { headers: all }, resolve).once("error", reject).end();
  const answer = await promise;
  return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
}
const from = (address: string) => ({
  [clientAddressHeader]: signClientAddress(gateway.context.config.consoleSecrets[0] ?? "", address),
});

it.each(["/openapi.json", "/models"])(
  "%s is compressed as the client requests, with one ETag",
  async (path) => {
    const plain = await raw(path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers.vary).toContain("Accept-Encoding");
    const text = plain.bytes.toString();
    expect(JSON.parse(text)).toBeTypeOf("object");
    const { etag = "" } = plain.headers;
    const unpack = { gzip: gunzipSync, br: brotliDecompressSync };
    for (const [accepted, encoding] of [
      ["gzip, deflate", "gzip"],
      ["gzip, deflate, br", "br"],
      ["br;q=0, GZIP;q=0.5", "gzip"],
    ] as const) {
      const packed = await raw(path, { "accept-encoding": accepted });
      expect([packed.headers["content-encoding"], packed.headers.etag]).toEqual([encoding, etag]);
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 4);
      expect(unpack[encoding](packed.bytes).toString()).toBe(text);
    }
    for (const refused of ["identity", "br;q=0, gzip;q=0"])
      expect((await raw(path, { "accept-encoding": refused })).headers["content-encoding"]).toBeUndefined();
    const known = await raw(path, { "if-none-match": etag });
    expect([known.status, known.bytes.length, known.headers.etag]).toEqual([304, 0, etag]);
  },
);

it("describes the catalog as it is now", async () => {
  const { catalog } = gateway.context;
  const before = await raw("/openapi.json");
  const offered = ownEntries.load().map(asPublished);
  catalog.use(
    offered.filter(({ entry }) => entry.id !== "svc/chat-2"),
    [],
  );
  const after = await raw("/openapi.json");
  catalog.use(offered, []);
  const chat2 = `"svc/chat-2:chat-completions"`;
  expect(before.bytes.toString()).toContain(chat2);
  expect(after.bytes.toString()).not.toContain(chat2);
  expect(after.headers.etag).not.toBe(before.headers.etag);
});

it("limits one address only, and no caller with a key", async () => {
  const asks = (path: string, address: string) => call(gateway, null, "GET", path, undefined, from(address));
  for (const path of ["/regions", "/models", "/models/svc/chat-1", "/openapi.json"]) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => asks(path, "198.51.100.5")));
    expect(answers).toContainEqual(expect.objectContaining({ status: 429 }));
  }
  expect((await asks("/models", "198.51.100.6")).status).toBe(200);
  const { key } = await gateway.createAccount();
  expect((await call(gateway, key, "GET", "/models", undefined, from("198.51.100.5"))).status).toBe(200);
});
