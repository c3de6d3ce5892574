import type { FilesContext } from "#gateway/files/context.ts";
import type { District } from "#gateway/platform/door.ts";
import { installAliases } from "./aliases/aliases.ts";
import { openAliasBook } from "./aliases/book.ts";
import { installCatalog } from "./catalog/routes.ts";
import { installOperatorAccounts } from "./configuration/accounts/accounts.ts";
import { installOperatorChanges } from "./configuration/changes/changes.ts";
import { installOperatorFile } from "./configuration/file/file.ts";
import { installOperatorFirstSteps } from "./configuration/first-steps/first-steps.ts";
import { followConfiguration } from "./configuration/follow.ts";
import { installOperatorHealth } from "./configuration/health/health.ts";
import { installOperatorModels } from "./configuration/models/models.ts";
import { installOperatorPrices } from "./configuration/prices/prices.ts";
import { installOperatorProviders } from "./configuration/providers/providers.ts";
import { providerSweep } from "./configuration/providers/sweep.ts";
import { installOperatorRoutes } from "./configuration/routes/routes.ts";
import { installOperatorUsage } from "./configuration/usage/usage.ts";
import type { ModelsContext } from "./context.ts";
import { createProviders } from "./providers/create.ts";
import { UpstreamHealth } from "./providers/health/upstream-health.ts";
import type { Provider } from "./providers/provider.ts";

type Below = FilesContext & Pick<ModelsContext, "catalog"> & { sandbox: Provider };

export const models: District<Below, ModelsContext> = {
  async open({ sandbox, ...below }, keep) {
    const { config, database, log, catalog, prices } = below;
    const health = keep(new UpstreamHealth(database.queries, log));
    const providers = keep(createProviders({ config, database, log, sandbox, health }));
    const configuration = keep(
      await followConfiguration({ config, database, log, catalog, providers, prices }),
    );
    return { ...below, aliases: keep(await openAliasBook(database)), providers, health, configuration };
  },
  routes: [
    installCatalog,
    installAliases,
    installOperatorRoutes,
    installOperatorFirstSteps,
    installOperatorHealth,
    installOperatorAccounts,
    installOperatorFile,
    installOperatorModels,
    installOperatorProviders,
    installOperatorPrices,
    installOperatorUsage,
    installOperatorChanges,
  ],
  sweeps: [providerSweep],
};
