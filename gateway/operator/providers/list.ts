import type { OperatorProvider, OperatorProviderList } from "#contract/operator/providers.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { fileProviderViews, providerView, runningByProvider, type SetAside } from "./view.ts";

/** Those of the file first, then those of operators in the order in which they were added. */
export async function listProviders(context: Context): Promise<OperatorProviderList> {
  const { config, configuration, database } = context;
  await configuration.refresh();
  const { file, connections } = configuration.current;
  const running = await runningByProvider(database.queries);
  const setAside: SetAside = (provider, region, key) => {
    const aside = context.providers.keyRing(provider, region)?.asideOf(key);
    return aside ? { until: aside.until.toISOString(), reason: aside.failure.message } : null;
  };
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

/** By its id or name. Throws `provider_not_found`. */
export async function getProvider(context: Context, idOrName: string): Promise<OperatorProvider> {
  const { data } = await listProviders(context);
  const found = data.find(({ id }) => id === idOrName) ?? data.find(({ name }) => name === idOrName);
  if (found) return found;
  throw new ApiError("provider_not_found", `There is no provider "${idOrName}".`);
}
