import type { RegionName } from "#contract/catalog.ts";
import type { ProvidersFileImported } from "#contract/operator-file.ts";
import type { ProviderCreate } from "#contract/operator-providers.ts";
import type { Caller } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { ConfigError } from "#gateway/core/setting-reader.ts";
import { checkProvidersFile } from "#gateway/providers/file/check.ts";
import { shapeOf } from "#gateway/providers/file/read.ts";
import type { ProvidersFile } from "#gateway/providers/file/schema.ts";
import { changeConfiguration } from "../change.ts";
import { createProvider } from "../providers/create.ts";
import { offeredModels } from "../routes/offered-models.ts";
import { readRouteRows } from "../routes/read-routes.ts";
import { changeRoutes } from "../routes/replace.ts";

const source = "the file";

/**
 * Takes the providers and routes of a providers file into the console. Providers whose names are known stay as they are; keys
 * stay references to the file's variables. The whole file is checked first: `invalid_parameter` names the place.
 */
export async function importFile(
  context: Context,
  caller: Caller,
  given: Record<string, unknown>,
): Promise<ProvidersFileImported> {
  const file = checked(context, given);
  const { connections } = context.configuration.current.configuration;
  const known = new Set(connections.map(({ name }) => name.toLowerCase()));
  const names = Object.keys(file.providers);
  const created = names.filter((name) => !known.has(name.toLowerCase()));
  for (const name of created) await createProvider(context, caller, providerOf(file, name));
  if (file.routes.length > 0)
    await changeConfiguration(context, caller, async (queries) => {
      const kept = (await readRouteRows(queries)).map(({ id, entry }) => ({ id, entry }));
      return changeRoutes(context, queries, [...kept, ...file.routes.map((entry) => ({ entry }))]);
    });
  return {
    object: "providers_file_import",
    created,
    kept: names.filter((name) => !created.includes(name)),
    routes: file.routes.length,
  };
}

function checked(context: Context, given: Record<string, unknown>): ProvidersFile {
  try {
    const file = shapeOf(given, source);
    const models = offeredModels(context.configuration.current);
    checkProvidersFile(file, { path: source, models, environment: process.env });
    return file;
  } catch (error) {
    if (error instanceof ConfigError)
      throw new ApiError("invalid_parameter", error.message, { param: "file" });
    throw error;
  }
}

function providerOf(file: ProvidersFile, name: string): ProviderCreate {
  const entry = file.providers[name];
  if (!entry) throw new Error(`The file has no provider ${name}`);
  const { protocol, base_url, base_urls, credentials, ...settings } = entry;
  const references = Object.entries(credentials).map(([region, credential]) => [
    region as RegionName,
    credential?.env === undefined ? {} : { ref: `env:${credential.env}` },
  ]);
  return {
    name,
    protocol: protocol as ProviderCreate["protocol"],
    ...(base_url !== undefined && { base_url }),
    ...(base_urls && { base_urls }),
    credentials: Object.fromEntries(references),
    // Who writes a providers file decides where requests go.
    allow_private: true,
    settings,
  };
}
