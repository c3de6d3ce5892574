import { expect, it } from "vitest";
import { checkSchema } from "./check-schema.ts";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const top = (properties: object, required: string[] = []) => object(properties, { required });
const fine = (schema: unknown, document?: unknown) => {
  const checked = checkSchema(schema, document);
  if (!checked.ok) throw new Error(`${checked.place} ${checked.reason}`);
  return checked.schema;
};
const refused = (schema: unknown, document?: unknown) => {
  const checked = checkSchema(schema, document);
  return checked.ok ? "taken" : `${checked.place} ${checked.reason}`;
};
const nested = (levels: number): object =>
  levels === 0 ? { type: "string" } : object({ in: nested(levels - 1) });

it("follows local references and folds `allOf` in the schemas that Replicate and fal publish", () => {
  const document = {
    components: {
      schemas: {
        Input: object(
          {
            scheduler: {
              allOf: [{ $ref: "#/components/schemas/scheduler" }],
              default: "DDIM",
              description: "Choose one",
              "x-order": 3,
            },
            size: {
              anyOf: [{ $ref: "#/components/schemas/Size" }, { enum: ["square", "wide"], type: "string" }],
              nullable: true,
            },
            seed: { type: "integer", default: null },
            strength: { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 1 },
          },
          { required: ["scheduler", "strength", "strength"], "x-fal-order": ["size"] },
        ),
        scheduler: {
          enum: ["DDIM", "K_EULER"],
          type: "string",
          title: "scheduler",
          description: "An enumeration.",
        },
        Size: object({ width: { $ref: "#/components/schemas/Pixels", title: "Width" } }),
        Pixels: { type: "integer", maximum: 4096, title: "Pixels" },
      },
    },
  };
  expect(fine({ $ref: "#/components/schemas/Input" }, document)).toEqual(
    object(
      {
        scheduler: {
          enum: ["DDIM", "K_EULER"],
          type: "string",
          title: "scheduler",
          default: "DDIM",
          description: "Choose one",
          "x-order": 3,
        },
        size: {
          anyOf: [
            object({ width: { type: "integer", maximum: 4096, title: "Width" } }),
            { enum: ["square", "wide"], type: "string" },
          ],
        },
        seed: { type: "integer" },
        strength: { type: "number", exclusiveMinimum: 0, maximum: 1 },
      },
      { required: ["strength"], "x-fal-order": ["size"] },
    ),
  );
});

it("keeps an `allOf` that cannot be folded into one schema", () => {
  const both = { allOf: [{ pattern: "^a" }, { pattern: "z$", title: "End" }], type: "string" };
  expect(fine(object({ both }))).toEqual(
    top({ both: { type: "string", pattern: "^a", title: "End", allOf: [{ pattern: "z$" }] } }),
  );
  const closed = { allOf: [object({ a: {} }, { additionalProperties: false }), object({ b: {} })] };
  expect(fine(object({ closed }))).toMatchObject({ properties: { closed: { allOf: [object({ b: {} })] } } });
});

it("reads older drafts of JSON Schema", () => {
  const pair = { type: "array", items: [{ type: "number" }, { type: "string" }], additionalItems: false };
  const map = {
    type: "object",
    patternProperties: { "^x": { type: "number" } },
    additionalProperties: false,
  };
  expect(fine(object({ pair, map, old: { type: "string", required: true } }))).toEqual(
    top({
      pair: { type: "array", prefixItems: [{ type: "number" }, { type: "string" }], items: false },
      map: { type: "object", propertyNames: { pattern: "^x" }, additionalProperties: { type: "number" } },
      old: { type: "string" },
    }),
  );
});

it("identifies the branches of a discriminator by constants", () => {
  const schemas = {
    Cat: object({ kind: { type: "string" }, lives: { type: "integer" } }),
    Dog: object({ kind: { const: "dog" } }),
  };
  const pet = {
    oneOf: [{ $ref: "#/schemas/Cat" }, { $ref: "#/schemas/Dog" }],
    discriminator: { propertyName: "kind", mapping: { cat: "#/schemas/Cat", dog: "#/schemas/Dog" } },
  };
  expect(fine(object({ pet }), { schemas })).toMatchObject({
    properties: {
      pet: {
        discriminator: { propertyName: "kind" },
        oneOf: [{ properties: { kind: { enum: ["cat"] } } }, { properties: { kind: { const: "dog" } } }],
      },
    },
  });
});

it("refuses hostile schemas with the place of the fault and the reason", () => {
  const laughs = Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [
      `l${at}`,
      object(Object.fromEntries([1, 2, 3, 4].map((key) => [`k${key}`, { $ref: `#/$defs/l${at + 1}` }]))),
    ]),
  );
  const bomb = { ...object({ a: { $ref: "#/$defs/l0" } }), $defs: { ...laughs, l8: { type: "string" } } };
  expect(refused(bomb)).toMatch(/brings the schema to more than 2000 parts$/);
  expect(refused(nested(40))).toMatch(/^(\/properties\/in){24} is nested more than 24 levels deep$/);
  expect(
    refused({ ...object({ a: { $ref: "#/$defs/a" } }), $defs: { a: { items: { $ref: "#/$defs/a" } } } }),
  ).toBe(
    "/properties/a/$ref/items/$ref refers to itself (`#/$defs/a`); a form for such a schema would be endless",
  );
  expect(refused(object({ a: { $ref: "https://example.com/a.json" } }))).toMatch(
    /^\/properties\/a\/\$ref refers to `https:\/\/example.com\/a.json`; only references inside/,
  );
  expect(refused(object({ a: { $ref: "#/$defs/none" } }))).toMatch(/which does not exist in the document$/);
  expect(refused(object({ a: { enum: Array.from({ length: 6000 }, (_, at) => at) } }))).toMatch(
    /5000 values/,
  );
  expect(refused(object({ a: { description: "x".repeat(300_000) } }))).toMatch(/more than 200000 bytes$/);
  expect(refused(object({ a: { pattern: "a".repeat(2000) } }))).toMatch(
    /pattern of 2000 characters; the maximum is 1000/,
  );
  for (const pattern of ["^(?=.*a)", "(?<!a)b", "(a)\\1", "(?<q>a)\\k<q>", "((a{100}){100}){100}", "("])
    expect(refused(object({ a: { pattern } })), pattern).toMatch(
      /^\/properties\/a\/pattern is a pattern that cannot/,
    );
  expect(refused(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'))).toMatch(
    /rename the property$/,
  );
  expect(refused(object({ constructor: { type: "string" } }))).toMatch(/rename the property$/);
  expect(refused(object({ a: { type: "strng" } }))).toMatch(/^\/properties\/a\/type must be one of/);
  expect(refused(object({ a: { minimum: "1" } }))).toBe("/properties/a/minimum must be a number");
  for (const top of [null, [], { type: "string" }, { type: "array", items: {} }, {}])
    expect(refused(top)).toMatch(/^ must/);
});
