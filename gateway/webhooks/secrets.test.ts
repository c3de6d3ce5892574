import { expect, test } from "vitest";
import { createSecretBox, newSigningSecret, secretHint } from "./secrets.ts";

const box = createSecretBox("master");

test("a sealed secret opens for its own endpoint only, and shows nothing", () => {
  const secret = newSigningSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const sealed = box.seal(secret, "we_1");
  expect(sealed.ciphertext).not.toContain(secret.slice(6));
  expect(Buffer.from(sealed.ciphertext, "base64").toString("latin1")).not.toContain("whsec_");
  expect(box.open(sealed, "we_1")).toBe(secret);
  expect(() => box.open(sealed, "we_2")).toThrow();
  expect(secretHint(secret)).toBe(secret.slice(-4));
});

test("another master secret is named as the reason", () => {
  const sealed = box.seal("whsec_x", "we_1");
  expect(() => createSecretBox("other").open(sealed, "we_1")).toThrow(/AUTH_SECRET/);
});
