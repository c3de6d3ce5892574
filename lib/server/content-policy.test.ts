import { afterEach, expect, it, vi } from "vitest";
import { contentPolicy, showsMedia } from "./content-policy.ts";

afterEach(() => vi.unstubAllEnvs());

it("never allows eval or inline scripts and styles in production", () => {
  const policy = contentPolicy("abc", false);
  expect(policy).not.toContain("unsafe-eval");
  expect(policy).toContain("script-src 'self' 'nonce-abc' 'strict-dynamic';");
  expect(policy).toContain("style-src 'self' 'nonce-abc';");
});

it("allows media from the gateway's public address and the configured stores", () => {
  vi.stubEnv("GATEWAY_PUBLIC_URL", "https://gateway.example/base");
  vi.stubEnv("MEDIA_ORIGINS", "https://bucket.example/some/path, https://other.example");
  const policy = contentPolicy("abc", false);
  expect(policy).toContain(
    "media-src 'self' blob: data: https://gateway.example https://bucket.example https://other.example;",
  );
  expect(showsMedia("https://bucket.example/covers/one.webp")).toBe(true);
  expect(showsMedia("https://elsewhere.example/one.webp")).toBe(false);
});
