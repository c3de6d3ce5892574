import type { OperatorProvider, OperatorProviderList } from "#contract/operator/providers.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { readConnections } from "./read-connections.ts";
import { fileProviderViews, providerView, runningByProvider, type SetAside } from "./view.ts";

/** The file's providers first, then the operators' in the order of creation. */
export async function listProviders(context: Context): Promise<OperatorProviderList> {
  const { config, configuration, database } = context;
  await configuration.refresh();
  const { file, connections } = configuration.current;
  const running = await runningByProvider(database.queries);
  const setAside = setAsideIn(context);
  const own = connections
    .filter(({ row }) => row.goneAt === null)
    .map(({ row, problem }) => providerView(row, { running, setAside, file, problem, config }));
  return {
    object: "list",
    data: [...fileProviderViews(file, running, setAside), ...own],
    file: file && { path: file.path, problem: file.problem },
    home_region: config.homeRegion,
  };
}

/** By id or name. Throws `provider_not_found`. */
export async function getProvider(context: Context, idOrName: string): Promise<OperatorProvider> {
  const { data } = await listProviders(context);
  const found = data.find(({ id }) => id === idOrName) ?? data.find(({ name }) => name === idOrName);
  if (found) return found;
  throw new ApiError(
    "provider_not_found",
    `There is no provider "${idOrName}". GET /v1/operator/providers lists them.`,
  );
}

/**
 * A provider that was just saved, read in the same transaction. `keysChanged`: its keys are new and were not
 * used yet.
 */
export async function savedProvider(
  context: Context,
  queries: Queries,
  id: string,
  keysChanged: boolean,
): Promise<OperatorProvider> {
  const { config, configuration } = context;
  const saved = (await readConnections(queries, config)).find(({ row }) => row.id === id);
  if (!saved) throw new Error("The provider was not saved");
  const { row, problem } = saved;
  const running = await runningByProvider(queries);
  const setAside = keysChanged ? () => null : setAsideIn(context);
  return providerView(row, { running, setAside, file: configuration.current.file, problem, config });
}

function setAsideIn({ providers }: Context): SetAside {
  return (provider, region, key) => {
    const aside = providers.keyRing(provider, region)?.asideOf(key);
    return aside ? { until: aside.until.toISOString(), reason: aside.failure.message } : null;
  };
}
