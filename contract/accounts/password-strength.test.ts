import { expect, test } from "vitest";
import { passwordWeakness } from "./password-strength.ts";

const person = { email: "ada.lovelace@example.com", name: "Ada Lovelace" };

test.each([
  ["P@ssw0rd1234", /common password or word/],
  ["letmein12345", /common password or word/],
  ["Summer2024!", /common password or word/],
  ["Winter2025!!", /word with a few more characters/],
  ["admin12345678", /common password or word/],
  ["password123", /is a common password/],
  ["qwertyuiop", /common/],
  ["1111111111", /repeats/],
  ["abcdefghijkl", /sequence/],
  ["monkeymonkey", /repeats/],
  ["12.11.2024!!", /date/],
  ["ada.lovelace@example.com", /your name or e-mail/],
  ["lovelace1815", /your name or e-mail/],
  ["AdaLovelace1", /your name or e-mail/],
  ["toString", /./],
])("%s is easy to guess, and the reason is shown", (password, reason) => {
  expect(passwordWeakness(password, person)).toMatch(reason);
});

test.each([
  "correct-horse-battery",
  "four words apart",
  "kX9#mQ2$vL",
  "blue kettle seven",
  "ein Zimmer mit Aussicht",
  "гроза над рекой утром",
  "a-sentence-that-only-i-know".repeat(7),
])("%s is good", (password) => {
  expect(passwordWeakness(password, person)).toBeNull();
});
