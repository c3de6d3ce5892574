import { expect, it } from "vitest";
import { newTotpSecret, stepOfCode, totpCode, totpUri } from "./totp.ts";

/** "12345678901234567890", the secret of the vectors in RFC 6238, appendix B. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

it.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("makes the code of RFC 6238 at %i s", (seconds, code) =>
  expect(totpCode(secret, seconds * 1000)).toBe(code),
);

it("accepts the code of one step before and after, and no other", () => {
  const now = 1_234_567_890_000;
  const step = Math.floor(now / 30_000);
  for (const off of [-1, 0, 1])
    expect(stepOfCode(secret, totpCode(secret, now + off * 30_000), now)).toBe(step + off);
  for (const off of [-2, 2]) expect(stepOfCode(secret, totpCode(secret, now + off * 30_000), now)).toBeNull();
  for (const text of ["", "12345", "0059240"]) expect(stepOfCode(secret, text, now)).toBeNull();
});

it("makes secrets of 160 bits that apps can read", () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(totpUri(secret, "a&b@example.com", "Gate house")).toBe(
    `otpauth://totp/Gate%20house:a%26b%40example.com?secret=${secret}&issuer=Gate%20house`,
  );
});
