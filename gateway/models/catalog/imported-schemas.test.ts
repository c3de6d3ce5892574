import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { checkSchema } from "#contract/input-schema/check-schema.ts";
import { evaluate } from "#contract/input-schema/evaluate.ts";
import { formats } from "#contract/input-schema/formats.ts";
import { linearPattern } from "#contract/input-schema/pattern.ts";
import { compile } from "./compile.ts";
import type { EntryOperation } from "./entry.ts";
import { createCatalog } from "./load.ts";

const texts = [
  "",
  "a",
  "ab",
  "zz",
  "é😀",
  "2024-02-29",
  "2023-02-29",
  "2024-01-01T10:00:00Z",
  "a@b.c",
  "x-1",
];
const names = ["a", "b", "kind", "c"];
const patterns = ["^a", "b$", "^[a-z]{1,2}$", "\\d", "^(a|b)+$", "\\p{L}"];
const small = fc.integer({ min: 0, max: 3 });
const number = fc.constantFrom(-1, 0, 0.1, 0.3, 0.7, 1, 1.5, 2, 3, 1e21, 4.35);

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, false),
    number,
    fc.constantFrom(...texts),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names, "other"), tie("any"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).any;

const types = ["null", "boolean", "integer", "number", "string", "array", "object"];
const type = fc.oneof(fc.constantFrom(...types), fc.uniqueArray(fc.constantFrom(...types), { minLength: 1 }));

/** Random schemas of all keywords that a plain schema may have. */
const schema = fc.letrec((tie) => {
  const parts = fc.array(tie("any"), { minLength: 1, maxLength: 2 });
  const named = fc.dictionary(fc.constantFrom(...names), tie("any"), { maxKeys: 3, noNullPrototype: true });
  const listed = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 });
  const keywords = {
    type,
    const: value,
    enum: fc.array(value, { minLength: 1, maxLength: 3 }),
    default: value,
    nullable: fc.boolean(),
    minimum: number,
    maximum: number,
    exclusiveMinimum: fc.oneof(number, fc.boolean()),
    exclusiveMaximum: number,
    multipleOf: fc.constantFrom(0.1, 0.5, 1, 2, 3),
    minLength: small,
    maxLength: small,
    pattern: fc.constantFrom(...patterns),
    format: fc.constantFrom("date", "date-time", "time", "email", "uuid", "uri", "binary"),
    items: tie("any"),
    prefixItems: parts,
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
    contains: tie("any"),
    minContains: small,
    maxContains: small,
    properties: named,
    required: listed,
    additionalProperties: fc.oneof(fc.boolean(), tie("any")),
    propertyNames: tie("any"),
    minProperties: small,
    maxProperties: small,
    dependentRequired: fc.dictionary(fc.constantFrom(...names), listed, {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    dependentSchemas: named,
    allOf: parts,
    anyOf: parts,
    oneOf: parts,
    not: tie("any"),
    if: tie("any"),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: tie("any"),
    else: tie("any"),
    "x-order": small,
    discriminator: fc.constant({ propertyName: "kind" }),
  };
  // ajv applies `contains` only to lists longer than their `prefixItems`, unlike the form.
  const isJudgedAlike = (keys: string[]) => !(keys.includes("contains") && keys.includes("prefixItems"));
  const some = fc
    .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { maxLength: 4 })
    .filter(isJudgedAlike)
    .chain((keys) =>
      fc.record(Object.fromEntries(keys.map((key) => [key, keywords[key as keyof typeof keywords]]))),
    );
  return { any: fc.oneof({ depthSize: "small", withCrossShrink: true }, fc.boolean(), some) };
}).any;

const inObject = (part: unknown) => ({ type: "object", properties: { a: part }, required: ["a"] });
const matches = (pattern: string, text: string) => linearPattern(pattern).test(text);
const operation = (input_schema: object) =>
  ({ input_schema, engine: "pictures", internal: { imported: true } }) as unknown as EntryOperation;

/**
 * Runs the check for each accepted schema, both rewritten as plain and in its original form, with some
 * values.
 */
function forAll(
  runs: number,
  compare: (plain: Record<string, unknown>, part: unknown, values: unknown[]) => void,
) {
  const values = fc.array(value, { minLength: 8, maxLength: 8 });
  const property = fc.property(schema, values, (part, some) => {
    const checked = checkSchema(inObject(part));
    fc.pre(checked.ok);
    compare(checked.schema, part, some);
  });
  fc.assert(property, { numRuns: runs });
}

it("judges a value as the gateway does, whatever the schema", () => {
  let taken = 0;
  let compared = 0;
  forAll(150, (plain, _part, values) => {
    const gateway = compile(operation(plain));
    for (const a of values) {
      const accepted = gateway.validate(structuredClone({ a })).length === 0;
      // Null in an optional field is removed before validation, in the form and in the gateway.
      const isLeftOut = a === null && !(plain.required as string[]).includes("a");
      const found = evaluate(plain, isLeftOut ? {} : { a }, matches);
      compared += 1;
      if (accepted) taken += 1;
      expect(found.length === 0, JSON.stringify([plain, a, found])).toBe(accepted);
    }
  });
  expect(taken).toBeGreaterThan(compared / 20);
  expect(taken).toBeLessThan(compared - compared / 20);
});

it("accepts with the simplified schema every value that the original accepts", () => {
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    ownProperties: true,
    multipleOfPrecision: 9,
    formats,
  });
  const meansAnotherThing = /"(nullable|default|exclusiveMinimum)":/;
  forAll(150, (plain, part, values) => {
    const text = JSON.stringify(part);
    if (meansAnotherThing.test(text)) return;
    const original = ajv.compile(inObject(part));
    for (const a of values)
      expect(evaluate(plain, { a }, matches).length === 0, `${text} ${JSON.stringify([plain, a])}`).toBe(
        original({ a }),
      );
  });
});

it("finds equal items in linear time, in the gateway and in the form", () => {
  const plain = inObject({ type: "array", uniqueItems: true });
  const gateway = compile(operation(plain));
  const items = (count: number) => Array.from({ length: count }, (_, at) => ({ at, b: [at, { c: "x" }] }));
  // Comparing each pair of so many items would take minutes.
  const many = items(120_000);
  const twice = [...many, { b: [7, { c: "x" }], at: 7 }];
  for (const [a, faults] of [
    [many, 0],
    [twice, 1],
  ] as const) {
    expect(gateway.validate({ a })).toHaveLength(faults);
    expect(evaluate(plain, { a }, matches)).toHaveLength(faults);
  }
});

it("leaves the schemas of our own entries as they are", () => {
  for (const { operations } of createCatalog().list().data)
    for (const { id, input_schema } of operations)
      expect(checkSchema(input_schema), id).toEqual({ ok: true, schema: input_schema, droppedDefaults: [] });
});
