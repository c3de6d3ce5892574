import { readFileSync } from "node:fs";
import { Value } from "typebox/value";
import { byName } from "#contract/by-name.ts";
import { nearestName } from "#contract/nearest-name.ts";
import { ConfigError } from "#gateway/platform/core/setting-reader.ts";
import { recordOf } from "../http/read-body.ts";
import { ProvidersFile } from "./schema.ts";

/** Reads the providers file and checks its shape. Throws ConfigError naming the file and the place in it. */
export function readProvidersFile(path: string): ProvidersFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`PROVIDERS_FILE ${path} cannot be read: ${messageOf(error)}`);
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`PROVIDERS_FILE ${path} is not JSON: ${messageOf(error)}`);
  }
  return shapeOf(content, `PROVIDERS_FILE ${path}`);
}

/**
 * Checks that the content has the shape of a providers file. Throws ConfigError naming the place, after
 * `source`.
 */
export function shapeOf(content: unknown, source: string): ProvidersFile {
  if (Value.Check(ProvidersFile, content)) return content;
  const errors = Value.Errors(ProvidersFile, content).filter(({ keyword }) => keyword !== "boolean");
  // A misspelt name also causes an error about the missing correct name, so the misspelling is reported
  // first.
  const first = errors.find(({ keyword }) => keyword === "additionalProperties") ?? errors[0];
  throw new ConfigError(`${source}: ${first ? problem(first) : "has the wrong shape"}`);
}

/** A place in the file in the usual notation: `routes[0].models`. */
export function placeOf(pointer: string): string {
  const place = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), "");
  return place || "the file";
}

function problem(error: { instancePath: string; message: string; params: object }): string {
  const { additionalProperties, allowedValues } = error.params as {
    additionalProperties?: string[];
    allowedValues?: unknown[];
  };
  const place = placeOf(error.instancePath);
  if (additionalProperties) {
    const known = namesAt(error.instancePath);
    const [meant] = additionalProperties.flatMap((name) => nearestName(name, known) ?? []);
    return `${place} does not know "${additionalProperties.join('", "')}"${meant ? `; did you mean ${meant}?` : ""}`;
  }
  if (allowedValues) return `${place} must be one of ${allowedValues.join(", ")}`;
  return `${place} ${error.message}`;
}

/** The names allowed in the object at a place. */
function namesAt(pointer: string): string[] {
  let schema = recordOf(ProvidersFile);
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const patterned = Object.entries(recordOf(schema.patternProperties));
    const ofPattern = patterned.find(([pattern]) => new RegExp(pattern).test(name))?.[1];
    schema = recordOf(byName(recordOf(schema.properties))[name] ?? ofPattern ?? schema.items);
  }
  return Object.keys(recordOf(schema.properties));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
