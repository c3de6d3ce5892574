import { expect, test } from "vitest";
import { fileUrl, inputKey, keyOfOwnUrl, signedUrl, verifySignature } from "./signed-urls.ts";

const context = { config: { secret: "one secret", previousSecret: null, publicUrl: "http://gateway.test" } };
const soon = () => new Date(Date.now() + 60_000);

function requestOf(url: string) {
  const { pathname, searchParams } = new URL(url);
  return { path: pathname.replace("/v1", ""), query: Object.fromEntries(searchParams) };
}

const put = {
  method: "PUT" as const,
  path: "/uploads/upl_1/content",
  contentType: "image/png",
  sizeBytes: 5,
};

test("is valid only for the URL and request that were signed", () => {
  const { query } = requestOf(signedUrl(context, { ...put, expiresAt: soon() }));
  const check = (changes: object) => () => verifySignature(context, { ...put, query, ...changes });
  expect(check({})).not.toThrow();
  for (const changes of [
    { method: "GET" },
    { path: "/uploads/upl_2/content" },
    { contentType: "image/jpeg" },
    { sizeBytes: 6 },
    { sizeBytes: Number.NaN },
    { query: { ...query, expires: String(Number(query.expires) + 1) } },
    { query: { ...query, expires: `0x${Number(query.expires).toString(16)}` } },
    { query: { ...query, expires: `${query.expires}.0` } },
    { query: { ...query, expires: undefined } },
    { query: { ...query, signature: undefined } },
    { query: { ...query, signature: `${query.signature}x` } },
    { query: { ...query, filename: "evil.html" } },
  ])
    expect(check(changes), JSON.stringify(changes)).toThrow(
      expect.objectContaining({ code: "signature_invalid" }),
    );
});

test("another secret gives another signature", () => {
  const { path, query } = requestOf(fileUrl(context, inputKey("a/b"), { expiresAt: soon() }));
  const other = { config: { ...context.config, secret: "another" } };
  expect(() => verifySignature(other, { method: "GET", path, query })).toThrow(/signature does not match/);
});

test("stays valid while the secret that signed it is the previous one", () => {
  const { path, query } = requestOf(fileUrl(context, inputKey("a/b"), { expiresAt: soon() }));
  const rotated = { config: { ...context.config, secret: "the next secret", previousSecret: "one secret" } };
  expect(() => verifySignature(rotated, { method: "GET", path, query })).not.toThrow();
  const fresh = requestOf(fileUrl(rotated, inputKey("a/b"), { expiresAt: soon() }));
  expect(() => verifySignature(context, { method: "GET", path, query: fresh.query })).toThrow(
    /signature does not match/,
  );
  const done = { config: { ...rotated.config, previousSecret: null } };
  expect(() => verifySignature(done, { method: "GET", path, query })).toThrow(/signature does not match/);
});

test("expires", () => {
  const { path, query } = requestOf(
    fileUrl(context, inputKey("a/b"), { expiresAt: new Date(Date.now() - 2000) }),
  );
  const check = () => verifySignature(context, { method: "GET", path, query });
  expect(check).toThrow(expect.objectContaining({ code: "signature_expired" }));
});

test("recognises the gateway's own URLs", () => {
  const url = fileUrl(context, inputKey("outputs/pred_1/1.png"), { expiresAt: soon(), filename: "a b.png" });
  expect(keyOfOwnUrl(context, url)).toBe("outputs/pred_1/1.png");
  expect(keyOfOwnUrl(context, "https://example.com/v1/files/outputs/pred_1/1.png")).toBeNull();
  expect(keyOfOwnUrl(context, "http://gateway.test/v1/models")).toBeNull();
  expect(keyOfOwnUrl(context, "http://gateway.test/v1/files/../models")).toBeNull();
  expect(() => keyOfOwnUrl(context, url.replace("1.png", "2.png"))).toThrow(/signature does not match/);
});
