import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "#contract/catalog.ts";
import type { Entry, EntryOperation } from "#gateway/models/catalog/entry.ts";
import { isRecord } from "#gateway/models/providers/http/read-body.ts";
import { clock } from "#gateway/platform/core/clock.ts";

/** Keywords that only describe: changing them does not change the input. */
const words = ["title", "description", "examples", "example", "deprecated", "default", "x-order"];
const maps = ["properties", "dependentSchemas"];

/**
 * The new version of an entry: with today's date if it differs, and with a higher `schema_version` if the
 * shape of its input differs.
 */
export function released(entry: Entry, before: Entry): Entry {
  if (isDeepStrictEqual(withoutVersions(entry), withoutVersions(before)) && hasSameOrder(entry, before))
    return before;
  return {
    ...entry,
    latest_release_at: clock.date().toISOString().slice(0, 10),
    operations: entry.operations.map((operation, index) => versioned(operation, before.operations[index])),
  };
}

function versioned(operation: EntryOperation, before: EntryOperation | undefined): EntryOperation {
  if (!before) return operation;
  const hasSameShape = isDeepStrictEqual(shapeOf(operation.input_schema), shapeOf(before.input_schema));
  return { ...operation, schema_version: before.schema_version + (hasSameShape ? 0 : 1) };
}

/** The form shows fields in the schema's order, which a comparison of objects ignores. */
function hasSameOrder(entry: Entry, before: Entry): boolean {
  const schemasOf = ({ operations }: Entry) => JSON.stringify(operations.map((one) => one.input_schema));
  return schemasOf(entry) === schemasOf(before);
}

function withoutVersions({ latest_release_at: _, operations, ...entry }: Entry): object {
  return { ...entry, operations: operations.map(({ schema_version: __, ...operation }) => operation) };
}

/** A schema without its descriptive keywords. */
function shapeOf(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(([keyword]) => !words.includes(keyword));
  return Object.fromEntries(
    entries.map(([keyword, value]) => [keyword, maps.includes(keyword) ? shapesIn(value) : shapeIn(value)]),
  );
}

function shapesIn(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeIn(part)]));
}

function shapeIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeIn);
  return isRecord(value) ? shapeOf(value) : value;
}
