import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { expect, it } from "vitest";
import { canonicalJson, hashOfJson } from "./canonical-json.ts";

it("canonical JSON matches the examples of RFC 8785", () => {
  const example = `{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
    "literals": [null, true, false]
  }`;
  expect(canonicalJson(JSON.parse(example))).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const names = ["\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6"];
  expect(Object.keys(JSON.parse(canonicalJson(Object.fromEntries(names.map((name) => [name, 1])))))).toEqual(
    // JavaScript puts keys that are numbers first in any object; canonical JSON puts "1" after the line
    // break.
    ["1", "\r", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"],
  );
  expect(canonicalJson({ 1: "one", "\r": "return" })).toBe('{"\\r":"return","1":"one"}');
});

it("half of a surrogate pair is escaped, as JSON does", async () => {
  const text = `${"a".repeat(300_000)}\ud83d`;
  expect(canonicalJson({ b: ["\ude00"], a: text })).toBe(JSON.stringify({ a: text, b: ["\ude00"] }));
});

it("the hash of a value is that of its canonical JSON, also where large ones are hashed in pieces", async () => {
  const long = '\u{1f600}\n"'.repeat(200_000);
  const bodies = [
    null,
    { b: 1, a: [true, null, "x"], gone: undefined },
    long,
    [long, { z: 1, a: `x${long}` }, []],
    { prompt: long, n: 2, é: [`xy${long}`], A: {}, gone: undefined },
    {
      messages: Array.from({ length: 30_000 }, (_, n) => ({
        role: "user",
        content: `${n}`,
        gone: undefined,
      })),
    },
  ];
  for (const body of bodies) {
    const whole = createHash("sha256")
      .update(canonicalize(body) ?? "null")
      .digest("hex");
    expect(await hashOfJson(body)).toBe(whole);
  }
});
