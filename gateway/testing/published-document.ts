import { globSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * The OpenAPI document as docs/openapi.json has it: keys in order, a value a line, with the server's default
 * address. A schema that the contract exports stands once, under its name in `components`.
 */
export async function publishedDocument(served: object): Promise<string> {
  const names = await namesOfSchemas();
  const schemas: Record<string, Json> = {};
  const { paths, ...rest } = inOrder(served as Json) as Record<string, Json>;
  const document = {
    ...rest,
    servers: [{ url: "http://localhost:4000" }],
    paths: referring(paths as Json),
    components: { ...(rest.components as object), schemas },
  };
  return `${JSON.stringify(inOrder(document as Json), null, 1)}\n`;

  function referring(value: Json): Json {
    if (Array.isArray(value)) return value.map(referring);
    if (typeof value !== "object" || value === null) return value;
    const { description, ...schema } = value;
    for (const [found, beside] of [
      [names.get(JSON.stringify(value)), {}],
      [names.get(JSON.stringify(schema)), { description }],
    ] as const) {
      if (found === undefined) continue;
      // Set before its parts are looked at, so that a schema within itself ends.
      if (!Object.hasOwn(schemas, found.name)) {
        schemas[found.name] = null;
        schemas[found.name] = partsReferring(found.schema);
      }
      return { ...(beside as Record<string, Json>), $ref: `#/components/schemas/${found.name}` };
    }
    return partsReferring(value);
  }

  function partsReferring(value: Record<string, Json>): Json {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, referring(part)]));
  }
}

/** The name of each schema of the contract, by its JSON. Of two equal schemas the first name in order. */
async function namesOfSchemas(): Promise<Map<string, { name: string; schema: Record<string, Json> }>> {
  const root = path.resolve(import.meta.dirname, "../../contract");
  const files = globSync("**/*.ts", { cwd: root }).filter((file) => !/testing|\.test\.ts$/.test(file));
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(path.join(root, file)).href) as Promise<object>),
  );
  const named = modules.flatMap((module) => Object.entries(module)).filter(([name]) => /^[A-Z]/.test(name));
  const byText = new Map<string, { name: string; schema: Record<string, Json> }>();
  for (const [name, exported] of named.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const schema = asPublished(exported);
    if (schema && !byText.has(JSON.stringify(schema))) byText.set(JSON.stringify(schema), { name, schema });
  }
  return byText;
}

/** An exported schema of an object or a choice as the document writes it, or null for anything else. */
function asPublished(exported: unknown): Record<string, Json> | null {
  if (typeof exported !== "object" || exported === null) return null;
  if (!("type" in exported && exported.type === "object") && !("anyOf" in exported)) return null;
  return inOrder(
    JSON.parse(JSON.stringify(exported), (_, value: Json) => {
      if (typeof value !== "object" || value === null || Array.isArray(value) || !("const" in value))
        return value;
      const { const: only, ...others } = value;
      return typeof only === "object" ? value : { ...others, enum: [only as Json] };
    }) as Json,
  ) as Record<string, Json>;
}

/** The same value with the keys of each object in order. */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, inOrder(value[key] as Json)]),
  );
}
