import type { RegionName } from "#contract/catalog.ts";
import { ConfigError } from "#gateway/core/setting-reader.ts";
import type { Connection, Mapping } from "../configuration.ts";
import { protocols } from "../protocols.ts";
import { baseUrlOf } from "../upstreams/settings.ts";
import { expandRoute, isSpecified, type OfferedModel, type RouteProblem } from "./expand-route.ts";
import type { ProvidersFile, RouteEntry } from "./schema.ts";

/** The id of the built-in provider. */
export const sandboxName = "sandbox";

interface Surroundings {
  path: string;
  models: readonly OfferedModel[];
  environment: Record<string, string | undefined>;
}

/** A route of a checked file. */
export interface FileRoute {
  entry: RouteEntry;
  mappings: Mapping[];
  /** What its entries of operators lack: they come and go while the file stays as it is. */
  problems: RouteProblem[];
}

/** Checks what the schema cannot express and expands every route. Throws ConfigError naming the place. */
export function checkProvidersFile(file: ProvidersFile, around: Surroundings): FileRoute[] {
  const refuse = (place: string, problem: string): never => {
    throw new ConfigError(`PROVIDERS_FILE ${around.path}: ${place} ${problem}`);
  };
  for (const [name, entry] of Object.entries(file.providers)) {
    if (!protocols.some((protocol) => protocol.name === entry.protocol))
      refuse(`providers.${name}.protocol`, `must be one of ${protocols.map((one) => one.name).join(", ")}`);
    if (name === sandboxName) refuse(`providers.${name}`, "is the name of the built-in provider");
    for (const [region, credential] of Object.entries(entry.credentials)) {
      const env = credential?.env;
      const place = `providers.${name}.credentials.${region}`;
      if (env !== undefined && !around.environment[env]?.trim())
        refuse(place, `names the environment variable ${env}, which is not set`);
      if (baseUrlOf(entry, region as RegionName) === null)
        refuse(
          place,
          `has no base URL: ${entry.protocol} has no default in ${region}, so base_urls must name it`,
        );
    }
  }
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
    const wrong = problems.find(({ entry }) => entry === undefined || isSpecified(entry));
    return wrong ? refuse(place + wrong.at, wrong.problem) : { entry: route, mappings, problems };
  });
}

/** The providers of a checked file. Their keys are read from the environment here. */
export function connectionsOf(file: ProvidersFile, environment: Surroundings["environment"]): Connection[] {
  return Object.entries(file.providers).map(([name, { credentials, ...entry }]) => ({
    name,
    entry,
    keys: new Map(
      Object.entries(credentials).map(([region, credential]) => {
        const key = credential?.env === undefined ? undefined : environment[credential.env]?.trim();
        return [region as RegionName, key || null];
      }),
    ),
    // Who writes the file decides where requests go.
    allowPrivate: true,
    isLeaving: false,
  }));
}
