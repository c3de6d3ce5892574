// biome-ignore-all lint/suspicious/noThenProperty: a keyword of JSON Schema
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { exampleOf } from "./example.ts";

const ajv = formats.default(new Ajv2020({ strict: false, multipleOfPrecision: 9 }));

function expectFit(schema: object): unknown {
  const value = exampleOf(schema, "response_format");
  const { $schema: _, ...rules } = schema as { $schema?: string };
  const fits = ajv.compile(rules);
  expect(
    fits(value),
    `${JSON.stringify(schema)} → ${JSON.stringify(value)}: ${ajv.errorsText(fits.errors)}`,
  ).toBe(true);
  return value;
}

const object = (properties: object, more: object = {}) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});

describe("the sandbox's example of a schema", () => {
  it("says in every free text that it is the sandbox's", () => {
    expect(
      expectFit(object({ name: { type: "string" }, tags: { type: "array", items: { type: "string" } } })),
    ).toEqual({
      name: "Sandbox: no model ran",
      tags: ["Sandbox: no model ran"],
    });
  });

  it.each<[string, object]>([
    ["length", object({ a: { type: "string", maxLength: 4 }, b: { type: "string", minLength: 90 } })],
    [
      "numbers",
      object({
        a: { type: "integer", exclusiveMinimum: 7, multipleOf: 5 },
        b: { type: "number", maximum: -0.5 },
        c: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
        d: { type: "number", minimum: 0.1, maximum: 0.35, multipleOf: 0.1 },
      }),
    ],
    [
      "lists",
      object({
        a: { type: "array", minItems: 5, maxItems: 7, items: { type: "integer" }, uniqueItems: true },
        b: { type: "array", prefixItems: [{ const: 1 }, { type: "string" }], items: false },
        c: { type: "array", contains: { const: "x" }, minContains: 2, items: { type: "string" } },
        d: { type: "array", maxItems: 0 },
      }),
    ],
    [
      "unique records",
      {
        type: "array",
        minItems: 3,
        uniqueItems: true,
        items: object({ id: { type: "string", format: "uuid" }, sort: { enum: ["one"] } }),
      },
    ],
    [
      "choices",
      object({
        a: { anyOf: [{ type: "string", pattern: "[" + "^a]b{3}" }, { type: "null" }] },
        b: { oneOf: [{ type: "number" }, { type: "integer" }] },
        c: { enum: [null, 3, "x"], type: ["string", "null"], not: { type: "null" } },
        d: { const: { deep: [1] } },
      }),
    ],
    [
      "parts",
      {
        allOf: [object({ a: { type: "string" } }, { additionalProperties: true }), { $ref: "#/$defs/b" }],
        $defs: {
          b: object(
            { b: { allOf: [{ pattern: "^a" }, { pattern: "z$" }, { enum: ["ay", "az"] }] } },
            { additionalProperties: true },
          ),
        },
      },
    ],
    [
      "conditions",
      object(
        { kind: { enum: ["a", "b"] } },
        {
          additionalProperties: true,
          if: { properties: { kind: { const: "a" } } },
          then: { required: ["x"], properties: { x: { type: "integer" } } },
          else: { required: ["y"] },
        },
      ),
    ],
    [
      "maps",
      object({
        a: { type: "object", additionalProperties: { type: "integer" }, minProperties: 3 },
        b: { type: "object", propertyNames: { pattern: "^[a-z]{3}$" }, minProperties: 2 },
        c: { type: "object", properties: { x: {}, y: {}, z: {} }, maxProperties: 2, required: ["z"] },
        d: { type: "object", patternProperties: { "^k_": { type: "number" } }, additionalProperties: false },
      }),
    ],
    [
      "a list that refers to itself",
      {
        $ref: "#/$defs/node",
        $defs: {
          node: object({
            value: { type: "number" },
            next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] },
          }),
        },
      },
    ],
    [
      "a tree that refers to itself",
      object({ label: { type: "string" }, children: { type: "array", items: { $ref: "#" } } }),
    ],
    ["an open schema", {}],
  ])("fits: %s", (_, schema) => {
    expectFit(schema);
  });

  it.each([
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
    "uri",
    "uri-reference",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
  ])("has the format %s, several times", (format) => {
    const minItems = format === "byte" ? 1 : 12;
    expectFit({ type: "array", minItems, uniqueItems: true, items: { type: "string", format } });
  });

  it.each([
    "^[A-Z]{2,3}-(?:\\d+|x)$",
    "^#[0-9a-f]{6}$",
    "^\\+?[1-9]\\d{1,14}$",
    "colou?r",
    "^$",
    "^.{3,}$",
    "^[^a-zA-Z0-9 _.-]+$",
    "^(?=.*[a-z])(?!b)[a-z0-9]{8}$",
    "^\\p{Lu}\\p{Ll}*$",
  ])("matches the pattern %s", (pattern) => {
    expectFit({ type: "string", pattern });
    expectFit({ type: "string", pattern: pattern.replace("{6}", "{6,}"), maxLength: 40 });
  });

  it("fits everything that zod writes", () => {
    const schema = z.object({
      email: z.email(),
      id: z.uuid(),
      short: z.nanoid(),
      at: z.iso.datetime(),
      day: z.iso.date(),
      link: z.url(),
      ip: z.ipv4(),
      ip6: z.ipv6(),
      code: z.string().regex(/^[A-Z]{3}\d{2}$/),
      slug: z.string().startsWith("a-"),
      rank: z.int().min(1).max(5),
      score: z.number().gt(0).lt(1),
      sort: z.enum(["a", "b"]),
      maybe: z.string().nullable(),
      either: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("a"), a: z.string() }),
        z.object({ kind: z.literal("b") }),
      ]),
      pair: z.tuple([z.string(), z.number()]),
      map: z.record(z.string(), z.number()),
      get parent() {
        return z.object({ name: z.string() }).nullable();
      },
    });
    schema.parse(expectFit(z.toJSONSchema(schema)));
  });

  it.each<[string, object, RegExp]>([
    ["a contradiction", object({ a: { type: "string", minLength: 3, maxLength: 2 } }), /no value/],
    ["false", object({ a: false }), /no value/],
    [
      "an endless list",
      { $ref: "#/$defs/a", $defs: { a: object({ a: { $ref: "#/$defs/a" } }) } },
      /no value/,
    ],
    [
      "a schema that is too deep",
      Array.from({ length: 30 }).reduce<object>((inner) => object({ in: inner }), {}),
      /nested more than 24 levels deep/,
    ],
    ["a schema that is no schema", object({ a: { type: "strng" } }), /type must be one of/],
    ["a text that is too long", { type: "string", minLength: 1e9 }, /too much/],
    ["a list that is too long", { type: "array", minItems: 1e9 }, /too much/],
    [
      "lists of long lists",
      { type: "array", minItems: 900, items: { type: "array", minItems: 900 } },
      /too much/,
    ],
    ["a reference to another document", { $ref: "https://example.com/a.json" }, /only references inside/],
  ])("refuses %s, and says why", (_, schema, message) => {
    expect(() => exampleOf(schema, "response_format")).toThrow(message);
    try {
      exampleOf(schema, "response_format");
    } catch (error) {
      expect(error).toMatchObject({ code: "invalid_parameter", param: "response_format" });
    }
  });

  it("fits every random schema, or says that it found nothing", { timeout: 120_000 }, () => {
    let refused = 0;
    let fitted = 0;
    fc.assert(
      fc.property(randomSchema(), (schema) => {
        try {
          expectFit(schema);
          fitted += 1;
        } catch (error) {
          if (!(error instanceof Error) || !/has a schema/.test(error.message)) throw error;
          refused += 1;
        }
      }),
      { numRuns: 500, seed: Number(process.env.TEST_SEED ?? 60) },
    );
    expect(refused).toBeLessThan(fitted / 4);
  });
});

/** Schemas of all keywords at once; many of them contradict themselves. */
function randomSchema(): fc.Arbitrary<object> {
  const small = fc.integer({ min: 0, max: 4 });
  const text = fc.record(
    {
      type: fc.constant("string"),
      minLength: small,
      maxLength: fc.integer({ min: 4, max: 40 }),
      pattern: fc.constantFrom("^[a-c]+$", "\\d", "^x?y*$"),
      not: fc.constant({ const: "Sandbox: no model ran" }),
    },
    { requiredKeys: ["type"] },
  );
  const formatted = fc.record({
    type: fc.constant("string"),
    format: fc.constantFrom("date", "email", "uuid", "uri"),
  });
  const number = fc.record(
    {
      type: fc.constantFrom("integer", "number", ["number", "null"]),
      minimum: fc.integer({ min: -9, max: 9 }),
      exclusiveMaximum: fc.integer({ min: 10, max: 30 }),
      multipleOf: fc.constantFrom(0.5, 2, 3),
    },
    { requiredKeys: ["type"] },
  );
  const fixed = fc.oneof(
    fc.record({ enum: fc.uniqueArray(fc.constantFrom(1, "a", null, true, "bb"), { minLength: 1 }) }),
    fc.record({ const: fc.jsonValue({ maxDepth: 1 }) }),
  );
  const names = fc.constantFrom("a", "b", "c", "__proto", "long name");
  const { schema } = fc.letrec<{ schema: object }>((tie) => {
    const inner = tie("schema");
    const list = fc.record(
      {
        type: fc.constant("array"),
        items: inner,
        minItems: small,
        maxItems: fc.integer({ min: 4, max: 9 }),
        uniqueItems: fc.boolean(),
        contains: inner,
        prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: ["type"] },
    );
    const record = fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(names, inner, { maxKeys: 3 }),
        required: fc.uniqueArray(names, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), inner),
        minProperties: small,
        maxProperties: fc.integer({ min: 4, max: 6 }),
        dependentRequired: fc.constant({ a: ["b"] }),
      },
      { requiredKeys: ["type"] },
    );
    const choice = fc.oneof(
      fc.record({ anyOf: fc.array(inner, { minLength: 1, maxLength: 3 }) }),
      fc.record({ oneOf: fc.array(inner, { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(record, { minLength: 1, maxLength: 2 }) }),
      fc.record({ if: inner, then: inner, else: inner }),
      fc.record({ not: inner }),
    );
    return {
      schema: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        text,
        formatted,
        number,
        fixed,
        list,
        record,
        choice,
      ),
    };
  });
  return schema;
}
