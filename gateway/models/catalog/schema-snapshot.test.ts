import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { canonicalJson } from "#gateway/platform/core/canonical-json.ts";
import { createCatalog } from "./load.ts";

/**
 * The shape of every input schema ever published, by operation and schema_version, and the registry's last
 * revision.
 * After increasing a version: UPDATE_CATALOG_SNAPSHOT=1 vitest run --project gateway
 * gateway/catalog/schema-snapshot
 */
const file = path.join(import.meta.dirname, "published.snapshot.json");
interface Published {
  registry: { revision: string; sha256: string };
  input_schemas: Record<string, string>;
}
const published: Published = JSON.parse(readFileSync(file, "utf8"));
const { data, registry } = createCatalog().list();

const shapes = Object.fromEntries(
  data.flatMap((model) =>
    model.operations.map(({ id, schema_version, input_schema }) => [
      `${id}@${schema_version}`,
      digest(input_schema),
    ]),
  ),
);

/** Titles and descriptions are not part of a shape. */
function digest(schema: unknown): string {
  const withoutWords: unknown = JSON.parse(
    JSON.stringify(schema, (key, value) =>
      (key === "title" || key === "description") && typeof value === "string" ? undefined : value,
    ),
  );
  return createHash("sha256").update(canonicalJson(withoutWords)).digest("hex");
}

test("a changed input schema has a higher schema_version", () => {
  for (const [key, shape] of Object.entries(shapes)) {
    const before = published.input_schemas[key];
    expect(before ?? shape, `${key} changed: raise its schema_version`).toBe(shape);
  }
});

test("changed entries have a new registry revision", () => {
  if (registry.revision === published.registry.revision)
    expect(registry.sha256, "the entries changed: raise the revision in registry.ts").toBe(
      published.registry.sha256,
    );
});

test("the snapshot lists every published entry", () => {
  if (process.env.UPDATE_CATALOG_SNAPSHOT) {
    const { revision, sha256 } = registry;
    const input_schemas = { ...shapes, ...published.input_schemas };
    writeFileSync(file, `${JSON.stringify({ registry: { revision, sha256 }, input_schemas }, null, 2)}\n`);
    return;
  }
  expect(Object.keys(published.input_schemas)).toEqual(expect.arrayContaining(Object.keys(shapes)));
  expect(published.registry.revision).toBe(registry.revision);
});
