import { expect, it } from "vitest";
import { readEmail } from "#contract/accounts/email-address.ts";
import { passwordWeakness } from "#contract/accounts/password-strength.ts";
import { compiledPart } from "../../messages/compile.ts";
import { wordsOf } from "../../messages/words.ts";
import { newPasswordProblem } from "./password-rule.ts";

const person = { email: "ada.byron@example.com", name: "Ada Byron" };
const english = wordsOf<"fields">(compiledPart("en", "fields"), "en", "UTC");
const chinese = wordsOf<"fields">(compiledPart("zh-CN", "fields"), "zh-CN", "UTC");

it.each([
  "password1234",
  "ada.byron@example.com",
  "qwertyuiop12",
  "aaaaaaaaaaaaaaa",
  "abcdefghijkl",
  "20262026202620",
])("says the same as the gateway about %s, and in Chinese why", async (password) => {
  const weakness = passwordWeakness(password, person);
  expect(weakness).not.toBeNull();
  expect(await newPasswordProblem(english, password, person)).toBe(weakness);
  expect(await newPasswordProblem(chinese, password, person)).toMatch(/^这个密码容易被猜到：.+。请换一个/u);
});

it.each(["no address", "a\u200bb@example.com", "m\u0430ya@example.com"])(
  "says the same about the address %j",
  (text) => {
    const read = readEmail(text);
    if (!("fault" in read)) throw new Error("It was accepted.");
    expect(english("emailFault", { reason: read.reason })).toBe(read.fault);
    expect(chinese("emailFault", { reason: read.reason })).toMatch(/\p{Script=Han}/u);
  },
);
