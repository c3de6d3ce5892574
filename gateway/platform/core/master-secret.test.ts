import { expect, test } from "vitest";
import { createSealer, deriveKeys } from "./console-secret.ts";

const old = { secret: "a-secret-of-the-release-before-0001", previousSecret: null };
const rotated = { secret: "the-secret-that-comes-after-it-0002", previousSecret: old.secret };
const purpose = "gatehouse webhook secrets";

test("a text can be opened only for its owner and purpose", () => {
  const sealed = createSealer(old, purpose).seal("a text", "we_1");
  expect(Buffer.from(sealed.ciphertext, "base64").toString("latin1")).not.toContain("a text");
  expect(createSealer(old, purpose).open(sealed, "we_1")).toBe("a text");
  expect(() => createSealer(old, purpose).open(sealed, "we_2")).toThrow();
  expect(() => createSealer(old, "another purpose").open(sealed, "we_1")).toThrow();
});

test("texts sealed by version 0.1.0 can still be opened", () => {
  const sealed = {
    keyId: "761afa37",
    ciphertext: "l/Q5+8oM1i0JGZMiimCjTGFj9ZKxtAxjTaLA6RzY+VHN1mpYh9D1aFJexf3TQ+eC3cxckZj+5lhymlaOgas=",
  };
  expect(createSealer(old, purpose).open(sealed, "we_1")).toBe("whsec_sealed-by-the-release-before");
});

test("while a master secret is replaced, the new one seals and both open", () => {
  const before = createSealer(old, purpose);
  const during = createSealer(rotated, purpose);
  const sealedBefore = before.seal("a text", "we_1");
  expect(during.open(sealedBefore, "we_1")).toBe("a text");
  const sealedNow = during.seal("a text", "we_1");
  expect(sealedNow.keyId).toBe(during.keyId);
  expect(sealedNow.keyId).not.toBe(sealedBefore.keyId);
  expect(() => before.open(sealedNow, "we_1")).toThrow(/AUTH_SECRET_PREVIOUS/);
  const after = createSealer({ ...rotated, previousSecret: null }, purpose);
  expect(after.open(sealedNow, "we_1")).toBe("a text");
  expect(() => after.open(sealedBefore, "we_1")).toThrow(/AUTH_SECRET/);
});

test("every purpose has its own key", () => {
  const [one] = deriveKeys(old, "one");
  const [two] = deriveKeys(old, "two");
  expect(one.equals(two)).toBe(false);
});
