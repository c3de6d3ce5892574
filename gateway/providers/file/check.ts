import type { ApiType, RegionName } from "#contract/catalog.ts";
import { ConfigError } from "#gateway/core/setting-reader.ts";
import type { Connection, Mapping } from "../configuration.ts";
import { protocolOf, protocols } from "../protocols.ts";
import { baseUrlOf } from "../upstreams/settings.ts";
import type { ProviderEntry, ProvidersFile, RouteEntry } from "./schema.ts";

/** The id of the built-in provider. */
export const sandboxName = "sandbox";

/** What a route must know of an entry. */
export interface OfferedModel {
  id: string;
  available_regions: readonly RegionName[];
  operations: readonly { api_type: ApiType }[];
}

interface Surroundings {
  path: string;
  models: readonly OfferedModel[];
  environment: Record<string, string | undefined>;
}

/** Checks what the schema cannot express and expands every route. Throws ConfigError naming the place. */
export function checkProvidersFile(file: ProvidersFile, around: Surroundings): Mapping[] {
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
  return file.routes.flatMap((route, index) => {
    const place = `routes[${index}]`;
    const provider = file.providers[route.provider];
    if (!provider)
      return refuse(`${place}.provider`, `names "${route.provider}", which is not under providers`);
    return mappingsOf(route, provider, around.models, (at, problem) => refuse(place + at, problem));
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

function mappingsOf(
  route: RouteEntry,
  provider: ProviderEntry,
  models: readonly OfferedModel[],
  refuse: (at: string, problem: string) => never,
): Mapping[] {
  const keyed = Object.keys(provider.credentials) as RegionName[];
  const { kinds } = protocolOf(provider.protocol);
  for (const [at, region] of (route.regions ?? []).entries())
    if (!keyed.includes(region))
      refuse(`.regions[${at}]`, `is ${region}, for which ${route.provider} has no credentials`);
  const mappings = route.models.flatMap((id, at): Mapping[] => {
    const model = models.find((candidate) => candidate.id === id);
    if (!model) return refuse(`.models[${at}]`, `is "${id}", which is not in the catalog`);
    const operations = model.operations.filter(
      ({ api_type: kind }) => route.api_types?.includes(kind) ?? true,
    );
    if (operations.length === 0) refuse(".api_types", `has no operation of ${id}`);
    const wrong = operations.find(({ api_type: kind }) => !kinds.includes(kind));
    if (wrong)
      refuse(
        `.models[${at}]`,
        `is ${id}, but the protocol ${provider.protocol} does not support ${wrong.api_type}`,
      );
    const regions = (route.regions ?? keyed).filter((region) => model.available_regions.includes(region));
    if (regions.length === 0)
      refuse(`.regions`, `has none in which ${id} is offered (${model.available_regions.join(", ")})`);
    return operations.flatMap((operation) =>
      regions.map((region) => ({
        modelId: id,
        apiType: operation.api_type,
        region,
        providerName: route.provider,
        priority: route.priority ?? 0,
        weight: route.weight ?? null,
        entry: route,
      })),
    );
  });
  for (const [at, region] of (route.regions ?? []).entries())
    if (!mappings.some((mapping) => mapping.region === region))
      refuse(`.regions[${at}]`, `is ${region}, where none of the route's models is offered`);
  return mappings;
}
