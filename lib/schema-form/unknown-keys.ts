import type { CatalogOperation, JsonSchema } from "#contract/catalog.ts";
import { nearestName } from "#contract/nearest-name.ts";
import { branchesOf, isObject, type JsonObject, schemaAt } from "./json.ts";
import type { FormPlan } from "./plan.ts";
import { meantBranch } from "./validator.ts";

/** A key that the schema does not have, and the one that was probably meant. */
export interface UnknownKey {
  /** The way to it; its own name comes last. */
  path: (string | number)[];
  /** Null: none is close. */
  meant: string | null;
}

/** So many values are looked at, those outside first, so many unknown keys compared, and so many named. */
const most = { values: 5_000, compared: 500, named: 20 } as const;

interface Step {
  schema: JsonSchema;
  value: unknown;
  path: (string | number)[];
}

/**
 * The keys of a draft that are probably misspelt, and those that are refused where they stand. Others that a schema does not
 * list may be there: gateways take more than they publish.
 */
export function unknownKeys(value: JsonObject, operation: CatalogOperation, plan: FormPlan): UnknownKey[] {
  const asked = [...plan.fields.map(({ name }) => name), ...Object.keys(plan.fixed), ...plan.hidden];
  const found: UnknownKey[] = [];
  const waiting: Step[] = [{ schema: operation.input_schema, value, path: [] }];
  let compared = 0;
  for (let at = 0; at < waiting.length && found.length < most.named; at += 1) {
    const step = waiting[at] as Step;
    const { strangers, unused } = namesIn(step, step.path.length === 0 ? asked : []);
    for (const key of strangers.slice(0, most.compared - compared)) {
      const meant = nearestName(key, unused);
      if (meant !== null || step.schema.additionalProperties === false)
        found.push({ path: [...step.path, key], meant });
    }
    compared += strangers.length;
    if (compared >= most.compared) break;
    for (const inner of partsOf(step)) {
      if (waiting.length >= most.values) break;
      waiting.push(inner);
    }
  }
  return found.slice(0, most.named);
}

/** The keys of an object that its schema does not list, and the names of its schema that it does not use. */
function namesIn({ schema, value }: Step, asked: readonly string[]) {
  if (!isObject(value)) return { strangers: [], unused: [] };
  const known = new Set([...asked, ...schemasOf(schema, value).flatMap(namesOf)]);
  return {
    strangers: known.size === 0 ? [] : Object.keys(value).filter((key) => !known.has(key)),
    unused: [...known].filter((name) => !Object.hasOwn(value, name)),
  };
}

/** What is inside a value, each with its schema. */
function* partsOf({ schema, value, path }: Step): Generator<Step> {
  const schemas = schemasOf(schema, value);
  if (Array.isArray(value)) {
    const first = schemas.flatMap(({ prefixItems }) => (Array.isArray(prefixItems) ? prefixItems : []));
    const rest = schemas.map((each) => schemaAt(each, "items")).find(isNotEmpty) ?? {};
    for (const [at, item] of value.entries()) {
      const own: unknown = first[at] ?? rest;
      if (isObject(own) && isNotEmpty(own)) yield { schema: own, value: item, path: [...path, at] };
    }
  } else if (isObject(value))
    for (const [key, entry] of Object.entries(value)) {
      const own = schemas.map((each) => partSchema(each, key)).find(isNotEmpty);
      if (own) yield { schema: own, value: entry, path: [...path, key] };
    }
}

function partSchema(schema: JsonSchema, key: string): JsonSchema {
  const properties = schemaAt(schema, "properties");
  return Object.hasOwn(properties, key)
    ? schemaAt(properties, key)
    : schemaAt(schema, "additionalProperties");
}

/** A schema with what it adds in `allOf`, and the branch of a union that the value means to be. */
function schemasOf(schema: JsonSchema, value: unknown): JsonSchema[] {
  const branches = branchesOf(schema);
  const meant = meantBranch(branches, value);
  const parts = Array.isArray(schema.allOf) ? schema.allOf.filter(isObject) : [];
  const more = [...parts, ...(meant === null ? [] : [branches[meant] ?? {}])];
  return [schema, ...more.flatMap((part) => schemasOf(part, value))];
}

function namesOf(schema: JsonSchema): string[] {
  return Object.keys(schemaAt(schema, "properties"));
}

function isNotEmpty(schema: JsonSchema): boolean {
  return Object.keys(schema).length > 0;
}
