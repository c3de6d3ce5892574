import { expect, test } from "vitest";
import { newSigningSecret, secretHint } from "./secrets.ts";

test("a signing secret has the form of Standard Webhooks, and its hint shows four characters", () => {
  const secret = newSigningSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSigningSecret()).not.toBe(secret);
  expect(secretHint(secret)).toBe(secret.slice(-4));
});
