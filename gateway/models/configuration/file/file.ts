import { fileLimits } from "#contract/operator/constants.ts";
import {
  operatorFileRoutes,
  type ProvidersFileImport,
  type ProvidersFileImported,
} from "#contract/operator/file.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { invalidParameter } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import type { App } from "#gateway/platform/http/app.ts";
import { serve } from "#gateway/platform/http/serve.ts";
import { clientLeft } from "#gateway/platform/http/when-closed.ts";
import { type Changed, changeConfiguration, changedMeanwhile } from "../change.ts";
import { findConnection, saveConnection, saveUpdate } from "../providers/connect.ts";
import { auditView } from "../providers/view.ts";
import { readRevision } from "../read-configuration.ts";
import { readRouteRows } from "../routes/read-routes.ts";
import { routesChanged, writeRoutes } from "../routes/replace.ts";
import { announcing, saveAliases } from "./aliases.ts";
import { exportFile } from "./export.ts";
import { saveModels } from "./models.ts";
import { type ImportPlan, planImport } from "./plan-import.ts";
import { savePrices } from "./prices.ts";
import { proposeFile } from "./proposal.ts";

/** Converts the console's configuration to a providers file and back. */
export function installOperatorFile(app: App, context: ModelsContext): void {
  serve(
    app,
    context,
    operatorFileRoutes,
    {
      "GET /operator/file": () => exportFile(context),
      "POST /operator/file": (request) => importFile(context, request.caller, request.body),
      "POST /operator/file/proposal": (request, reply) =>
        proposeFile(context, request.body, clientLeft(reply.raw)),
    },
    { "POST /operator/file": { bodyLimit: fileLimits.bodyBytes } },
  );
}

/**
 * Imports the providers, models, routes, aliases and prices of a file into the console, as one change. Keys stay references to
 * the file's variables, except those included in the request. The whole file is checked first:
 * `invalid_parameter` names the place; `configuration_changed` if somebody else changed the configuration
 * meanwhile.
 */
async function importFile(
  context: ModelsContext,
  caller: Caller,
  requested: ProvidersFileImport,
): Promise<ProvidersFileImported> {
  const plan = await planImport(context, requested);
  if (requested.revision !== undefined && requested.revision !== plan.revision) throw changedMeanwhile();
  if (requested.dry_run) return viewOf(plan);
  refuseBroken(plan);
  if (hasWork(plan))
    await changeConfiguration(context, caller, async (queries) => {
      // This change has already raised the revision by one.
      if ((await readRevision(queries)) - 1 !== plan.revision) throw changedMeanwhile();
      return saveImport(context, queries, plan, caller.actor.name);
    });
  return viewOf(plan);
}

async function saveImport(
  context: ModelsContext,
  queries: Queries,
  plan: ImportPlan,
  madeBy: string,
): Promise<Changed<void>> {
  const [was, is]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  const finishes: NonNullable<Changed<void>["finish"]>[] = [];
  for (const planned of plan.created) is[planned.id] = auditView(await saveConnection(queries, planned));
  for (const { input, next } of plan.updated) {
    if (!input) continue;
    const row = await findConnection(queries, context.configuration, next.id);
    const { before, after, finish } = await saveUpdate(context, queries, row, input);
    was[row.id] = before;
    is[row.id] = after;
    if (finish) finishes.push(finish);
  }
  const models = await saveModels(queries, plan.models, madeBy);
  const aliases = await saveAliases(queries, plan.aliases);
  const prices = await savePrices(queries, plan.prices);
  const rows = await readRouteRows(queries);
  await writeRoutes(queries, rows, plan.routes.table);
  const changed = routesChanged(rows, await readRouteRows(queries));
  return {
    ...changed,
    action: "configuration.imported",
    touches: [
      ...(changed.touches ?? []),
      ...[is, models.after, aliases.after, prices.after].flatMap((saved) => Object.keys(saved)),
    ],
    before: {
      ...changed.before,
      providers: was,
      models: models.before,
      aliases: aliases.before,
      prices: prices.before,
    },
    after: {
      ...changed.after,
      providers: is,
      models: models.after,
      aliases: aliases.after,
      prices: prices.after,
    },
    committed: announcing(context, aliases),
    async finish(changeId) {
      for (const finish of finishes) await finish(changeId);
    },
  };
}

function hasWork({ created, updated, models, routes, aliases, prices }: ImportPlan): boolean {
  return (
    created.length > 0 ||
    [models, aliases, prices].some(({ fresh, changed }) => fresh.length + changed.length > 0) ||
    updated.some(({ input }) => input !== null) ||
    routes.changes
  );
}

function refuseBroken({ problems, missing_keys }: ImportPlan): void {
  const [variable] = missing_keys;
  const missing =
    variable &&
    `The environment variable ${variable.name} of ${variable.provider} is not set. Send its key in keys.`;
  const message = problems[0] ?? missing;
  if (message) throw invalidParameter(problems[0] ? "file" : "keys", message);
}

function viewOf(plan: ImportPlan): ProvidersFileImported {
  const { fresh, created, updated, models, routes, aliases, prices, ...shown } = plan;
  return {
    object: "providers_file_import",
    created: fresh,
    models: models.fresh.map(({ id }) => id),
    models_kept: models.kept,
    routes: routes.added,
    routes_kept: routes.unchanged,
    aliases: aliases.fresh.map(({ after }) => after.name),
    aliases_kept: aliases.kept,
    prices: prices.fresh.length,
    prices_kept: prices.kept.length,
    ...shown,
  };
}
