import { readFileSync } from "node:fs";
import { Compile } from "typebox/compile";
import { Value } from "typebox/value";
import { byName } from "#contract/by-name.ts";
import type { RegionName } from "#contract/catalog.ts";
import { nearestName } from "#contract/nearest-name.ts";
import { ConfigError } from "#gateway/platform/core/setting-reader.ts";
import type { Connection, Mapping, RegionKey } from "../configuration.ts";
import { recordOf } from "../http/read-body.ts";
import { baseUrlOf, protocols } from "../protocols.ts";
import { expandRoute, type RoutableModel, type RouteProblem, refusedOf } from "./expand-route.ts";
import { type FileCredential, fileKeysOf, ProvidersFile, type RouteEntry } from "./schema.ts";

/** The id of the built-in provider. */
export const sandboxName = "sandbox";

interface Surroundings {
  path: string;
  models: readonly RoutableModel[];
  environment: Record<string, string | undefined>;
}

export interface FileRoute {
  entry: RouteEntry;
  mappings: Mapping[];
  /** Problems with operators' models, which may appear and disappear while the file stays unchanged. */
  problems: RouteProblem[];
}

export interface FileProblem {
  place: string;
  problem: string;
  /** Set if the only problem is that this variable is not set. */
  variable?: { name: string; provider: string; region: RegionName };
}

/**
 * Checks rules that the schema cannot express, and expands every route. Throws ConfigError naming the place.
 */
export function checkProvidersFile(file: ProvidersFile, around: Surroundings): FileRoute[] {
  const refuse = (place: string, problem: string): never => {
    throw new ConfigError(`PROVIDERS_FILE ${around.path}: ${place} ${problem}`);
  };
  const [first] = providerProblems(file, around);
  if (first) refuse(first.place, first.problem);
  return file.routes.map((route, index) => {
    const place = `routes[${index}]`;
    const provider = file.providers[route.provider];
    if (!provider)
      return refuse(`${place}.provider`, `names "${route.provider}", which is not under providers`);
    const regions = Object.keys(provider.credentials) as RegionName[];
    const { mappings, problems } = expandRoute(
      route,
      { protocol: provider.protocol, regions },
      around.models,
    );
    const wrong = refusedOf(problems);
    return wrong ? refuse(place + wrong.at, wrong.problem) : { entry: route, mappings, problems };
  });
}

/** Provider problems that the schema cannot express. */
export function providerProblems(
  file: ProvidersFile,
  { environment }: Pick<Surroundings, "environment">,
): FileProblem[] {
  return Object.entries(file.providers).flatMap(([name, entry]): FileProblem[] => {
    const at = `providers.${name}`;
    if (!protocols.some((protocol) => protocol.name === entry.protocol)) {
      const problem = `must be one of ${protocols.map((one) => one.name).join(", ")}`;
      return [{ place: `${at}.protocol`, problem }];
    }
    if (name === sandboxName) return [{ place: at, problem: "is the name of the built-in provider" }];
    return Object.entries(entry.credentials).flatMap(([key, credential]): FileProblem[] => {
      const region = key as RegionName;
      const place = `${at}.credentials.${region}`;
      const wrong = credentialProblem(credential ?? {});
      if (wrong) return [{ place, problem: wrong }];
      const keys = fileKeysOf(credential ?? {});
      const missing = keys.flatMap(({ env }) => (env !== undefined && !environment[env]?.trim() ? env : []));
      if (missing.length > 0)
        return missing.map((env) => {
          const problem = `names the environment variable ${env}, which is not set`;
          return { place, problem, variable: { name: env, provider: name, region } };
        });
      if (baseUrlOf(entry, region) !== null) return [];
      const problem = `has no base URL: ${entry.protocol} has no default in ${region}, so base_urls must name it`;
      return [{ place, problem }];
    });
  });
}

/** Problems with a region's keys that the schema cannot express. */
export function credentialProblem(credential: FileCredential): string | null {
  if (credential.env !== undefined && credential.keys)
    return "has both env and keys: move the key of env into keys";
  const keys = fileKeysOf(credential);
  const names = new Set(keys.map((one) => one.name.toLowerCase()));
  return names.size < keys.length ? "has two keys with the same name" : null;
}

/** The providers of a checked file, with their keys read from the environment. */
export function connectionsOf(file: ProvidersFile, environment: Surroundings["environment"]): Connection[] {
  return Object.entries(file.providers).map(([name, { credentials, ...entry }]) => ({
    name,
    entry,
    keys: new Map(
      Object.entries(credentials).map(([region, credential]) => {
        const keys = fileKeysOf(credential ?? {}).map(
          ({
            name: keyName,
            env,
            share = 1,
            per_minute: perMinute = null,
            concurrency = null,
          }): RegionKey => {
            const secret = env === undefined ? undefined : environment[env]?.trim();
            return { name: keyName, secret: secret || null, share, perMinute, concurrency };
          },
        );
        return [region as RegionName, keys];
      }),
    ),
    // The author of the file decides where requests go, so private addresses need no extra permission.
    allowPrivate: true,
    isLeaving: false,
  }));
}

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

/** Compiled at the first use. Checking ten thousand prices by the schema itself would take a second. */
let compiled: ReturnType<typeof compileFile> | undefined;
const compileFile = () => Compile(ProvidersFile);

/**
 * Checks that the content has the shape of a providers file. Throws ConfigError naming the place, after
 * `source`.
 */
export function shapeOf(content: unknown, source: string): ProvidersFile {
  compiled ??= compileFile();
  if (compiled.Check(content)) return content;
  const errors = Value.Errors(ProvidersFile, content).filter(({ keyword }) => keyword !== "boolean");
  // A misspelt name also causes an error about the missing correct name, so the misspelling is reported
  // first.
  const first = errors.find(({ keyword }) => keyword === "additionalProperties") ?? errors[0];
  throw new ConfigError(`${source}: ${first ? problem(first) : "has the wrong shape"}`);
}

/** A place in the file in the usual notation: `routes[0].models`. */
function placeOf(pointer: string): string {
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
