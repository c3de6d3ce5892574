import { expect, test } from "vitest";
import { readEmail, resembles } from "./email-address.ts";

test.each([
  ["  Grace@Example.COM ", "grace@example.com"],
  ["ｇｒａｃｅ＠example.com", "grace@example.com"],
  ["grace@example.com.", "grace@example.com"],
  ["o'neil+runs@sub.example.co.uk", "o'neil+runs@sub.example.co.uk"],
  ["почта@пример.рф", "почта@пример.рф"],
  ["почта@example.com", "почта@example.com"],
  ["käthe@müller.example", "käthe@müller.example"],
  ["さくら桜@example.jp", "さくら桜@example.jp"],
])("normalises %s to %s", (text, address) => {
  expect(readEmail(text)).toEqual({ address });
});

test.each([
  ["gra\u200bce@example.com", /invisible/],
  ["grace@exam\u202eple.com", /invisible/],
  ["grace\u3164@example.com", /invisible/],
  ["gra\u0007ce@example.com", /invisible/],
  ["gr\u0430ce@example.com", /alphabets/],
  ["grace@ex\u0430mple.com", /alphabets/],
  ["grace@\u03b5xample.com", /alphabets/],
  ["a@b", /name@example.com/],
  ["grace", /name@example.com/],
  ["grace@@example.com", /name@example.com/],
  ["two words@example.com", /name@example.com/],
  ['"<script>"@example.com', /name@example.com/],
  ["grace@[127.0.0.1]", /name@example.com/],
  [".grace@example.com", /name@example.com/],
  ["grace@-example.com", /name@example.com/],
  ["grace@example..com", /name@example.com/],
  [`${"a".repeat(65)}@example.com`, /name@example.com/],
])("%j is refused with the reason", (text, reason) => {
  expect(readEmail(text)).toMatchObject({ fault: expect.stringMatching(reason) });
});

test("finds lookalike addresses, and no others", () => {
  const known = "grace.l@example.com";
  for (const alike of [
    "grасе.l@example.com",
    "grace.1@example.com",
    "gracel@example.com",
    "grace.l+x@example.com",
    "grace.l@exarnple.com",
    "grace.l@exmaple.com",
    "grace.l@example.co",
    "gräce.l@example.com",
  ])
    expect(resembles(alike, known), alike).toBe(true);
  for (const other of [
    known,
    "Grace.L@example.com",
    "grace.m@example.com",
    "ada@example.com",
    "grace.l@other.com",
  ])
    expect(resembles(other, known), other).toBe(false);
});
