import { Ajv2020, type Options } from "ajv/dist/2020.js";
import type { JsonSchema } from "#contract/catalog.ts";
import { multipleOfPrecision } from "#contract/input-schema/evaluate.ts";
import { formats } from "#contract/input-schema/formats.ts";
import { linearPattern } from "#contract/input-schema/pattern.ts";
import { type BoundedValidator, boundedValidator } from "#gateway/http/bounded-validation.ts";
import type { CompiledOperation } from "./catalog.ts";
import { coerceTexts } from "./coerce.ts";
import type { EntryOperation } from "./entry.ts";
import { explain } from "./explain.ts";
import { mediaPaths, mediaValues } from "./media-paths.ts";

/** The gateway reads these of every body whether or not the schema lists them. */
const readByTheGateway = ["model", "region"];

const strict: Options = { useDefaults: true, discriminator: true, strictRequired: false };
/**
 * Plain schemas of others are judged as `contract/input-schema/evaluate.ts` does in the form. Their defaults are the
 * upstream's to fill in.
 */
const generous: Options = {
  strict: false,
  logger: false,
  ownProperties: true,
  multipleOfPrecision,
  formats,
  code: { regExp: Object.assign(linearPattern, { code: "linearPattern" }) },
};
const own = pair(strict);
const imported = pair(generous);

/** What an operation does with a body, worked out once. */
export type Compiled = Omit<CompiledOperation, "model" | "operation">;

/** Compiles the published schema, and the schemas of parameters that are accepted but not listed. */
export function compile({ input_schema: schema, engine, internal = {} }: EntryOperation): Compiled {
  const published = compileBounded(internal.imported ? imported : own, schema);
  const unlistedShapes = unpublished(schema, internal.accepts ?? {});
  const accepted = compileBounded(own, { type: "object", properties: unlistedShapes });
  const listed = schema.properties as Record<string, JsonSchema>;
  const shapes = { ...unlistedShapes, ...listed };
  const known = new Set([...readByTheGateway, ...(schema.required as string[]), ...Object.keys(shapes)]);
  const media = mediaPaths(schema, internal.media);
  return {
    engine,
    validate(body) {
      const errors = published(body) ? [] : [...(published.errors ?? [])];
      return explain(accepted(body) ? errors : [...errors, ...(accepted.errors ?? [])]);
    },
    coerce: (body) => coerceTexts(shapes, body),
    unlisted: (body) => Object.keys(body).filter((name) => !known.has(name)),
    mediaOf: (body) => mediaValues(media, body),
    regionBound: internal.regionBound ?? false,
  };
}

interface Pair {
  first: Ajv2020;
  all: Ajv2020;
}

function pair(options: Options): Pair {
  return { first: validator(options, false), all: validator(options, true) };
}

function validator(options: Options, allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({ ...options, allErrors, verbose: true, allowUnionTypes: true });
  ajv.addVocabulary(["x-svc-media"]);
  return ajv.addFormat("uri", true);
}

function compileBounded({ first, all }: Pair, schema: JsonSchema): BoundedValidator {
  return boundedValidator(first.compile(schema), all.compile(schema));
}

function unpublished(schema: JsonSchema, accepts: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const listed = schema.properties as Record<string, JsonSchema>;
  return Object.fromEntries(Object.entries(accepts).filter(([name]) => !(name in listed)));
}
