import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { CatalogOperation, JsonSchema } from "#contract/catalog.ts";
import { branchesOf, isObject, type JsonObject } from "./json.ts";
import { limitProblems } from "./limit-problems.ts";
import type { FormPlan } from "./plan.ts";
import { pointerOf, segmentsOf, valueAt } from "./pointer.ts";
import type { Problem } from "./problem.ts";
import { fieldTitle, remedyOf, schemaAtLocation } from "./problem-messages.ts";

/** Keywords that only say that something below them failed. */
const wrappers = new Set([
  "properties",
  "items",
  "prefixItems",
  "allOf",
  "if",
  "$ref",
  "patternProperties",
  "dependentSchemas",
  "additionalProperties",
  "unevaluatedProperties",
]);

/**
 * What is wrong with a request body by the operation's own schema and limits, each at its field and with its fix.
 * Empty when the gateway would take it. The gateway validates again and has the last word.
 */
export function problemsOf(body: JsonObject, operation: CatalogOperation, plan: FormPlan): Problem[] {
  const root = operation.input_schema;
  const units = validate(root, body);
  const found = units
    .filter((unit) => !wrappers.has(unit.keyword) && belongs(unit, units, root, body))
    .map((unit) => problemFrom(unit, root, body, plan));
  const problems = [...found, ...limitProblems(body, operation, plan)];
  const seen = new Set<string>();
  return problems.filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** Whether `value` satisfies a schema. Needs no `eval`, so it works under a strict content security policy. */
export function satisfies(schema: JsonSchema, value: unknown): boolean {
  return new Validator(schema as Schema, "2020-12", true).validate(value).valid;
}

function validate(schema: JsonSchema, body: JsonObject): OutputUnit[] {
  return new Validator(schema as Schema, "2020-12", false).validate(body).errors;
}

/**
 * A union fails with the errors of all its branches. Only those of the branch that the value means to be are kept; where
 * none can be told, only the union itself.
 */
function belongs(unit: OutputUnit, units: OutputUnit[], root: JsonSchema, body: JsonObject): boolean {
  const unions = units.filter((other) => other.keyword === "oneOf" || other.keyword === "anyOf");
  for (const union of unions) {
    const branch = meantBranch(union, root, body);
    if (unit === union && branch !== null) return false;
    const below = `${union.keywordLocation}/`;
    if (unit === union || !unit.keywordLocation.startsWith(below)) continue;
    // The same keyword serves every item of a list: only errors inside this value are this union's.
    if (!isInside(unit.instanceLocation, union.instanceLocation)) continue;
    if (branch === null || !unit.keywordLocation.startsWith(`${below}${branch}/`)) return false;
  }
  return true;
}

function isInside(location: string, container: string): boolean {
  return location === container || location.startsWith(`${container}/`);
}

/** The branch whose discriminating constant (a message's `role`) the value carries. */
function meantBranch(union: OutputUnit, root: JsonSchema, body: JsonObject): number | null {
  const value = valueAt(body, segmentsOf(union.instanceLocation));
  if (!isObject(value)) return null;
  const schema = schemaAtLocation(root, union.keywordLocation);
  const index = branchesOf(schema).findIndex((branch) =>
    Object.entries(isObject(branch.properties) ? branch.properties : {}).some(
      ([key, property]) => isObject(property) && "const" in property && property.const === value[key],
    ),
  );
  return index === -1 ? null : index;
}

function problemFrom(unit: OutputUnit, root: JsonSchema, body: JsonObject, plan: FormPlan): Problem {
  const schema = schemaAtLocation(root, unit.keywordLocation);
  const segments = segmentsOf(unit.instanceLocation);
  if (unit.keyword === "required") {
    const missing = /property "(.+)"\.$/.exec(unit.error)?.[1];
    if (missing) segments.push(missing);
  }
  const path = pointerOf(segments);
  const value = valueAt(body, segments);
  const asked = plan.fields.find(({ name }) => path === `/${name}`);
  const message =
    asked?.kind === "confirm" ? "Required: tick this box to confirm." : remedyOf(unit.keyword, schema, value);
  return { path, field: fieldTitle(path, plan), message };
}
