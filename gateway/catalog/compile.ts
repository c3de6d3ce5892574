import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "#contract/catalog.ts";
import { type BoundedValidator, boundedValidator } from "#gateway/http/bounded-validation.ts";
import type { CompiledOperation } from "./catalog.ts";
import { coerceTexts } from "./coerce.ts";
import type { EntryOperation } from "./entry.ts";
import { explain } from "./explain.ts";
import { mediaPaths, mediaValues } from "./media-paths.ts";

/** The gateway reads these of every body whether or not the schema lists them. */
const readByTheGateway = ["model", "region"];

const first = validator({ allErrors: false });
const all = validator({ allErrors: true });

/** What an operation does with a body, worked out once. */
export type Compiled = Omit<CompiledOperation, "model" | "operation">;

/** Compiles the published schema, and the schemas of parameters that are accepted but not listed. */
export function compile({ input_schema: schema, engine, internal = {} }: EntryOperation): Compiled {
  const published = compileBounded(schema);
  const unlistedShapes = unpublished(schema, internal.accepts ?? {});
  const accepted = compileBounded({ type: "object", properties: unlistedShapes });
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

function validator(options: { allErrors: boolean }): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    verbose: true,
    useDefaults: true,
    discriminator: true,
    allowUnionTypes: true,
    strictRequired: false,
  });
  ajv.addVocabulary(["x-svc-media"]);
  return ajv.addFormat("uri", true);
}

function compileBounded(schema: JsonSchema): BoundedValidator {
  return boundedValidator(first.compile(schema), all.compile(schema));
}

function unpublished(schema: JsonSchema, accepts: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const listed = schema.properties as Record<string, JsonSchema>;
  return Object.fromEntries(Object.entries(accepts).filter(([name]) => !(name in listed)));
}
