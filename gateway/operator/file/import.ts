import type { ProvidersFileImport, ProvidersFileImported } from "#contract/operator/file.ts";
import type { Caller } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { isSpecified } from "#gateway/providers/file/expand-route.ts";
import { changeConfiguration } from "../change.ts";
import type { ModelState } from "../models/states.ts";
import { auditView } from "../providers/audit-view.ts";
import { saveConnection } from "../providers/create.ts";
import { readRouteRows } from "../routes/read-routes.ts";
import { routesChanged, withoutModels, writeRoutes } from "../routes/replace.ts";
import { saveModels } from "./models.ts";
import { type ImportPlan, planImport } from "./plan-import.ts";

/**
 * Takes the providers, models and routes of a file into the console, in one change. Keys stay references to the file's
 * variables, except those that are given. The whole file is checked first: `invalid_parameter` names the place.
 */
export async function importFile(
  context: Context,
  caller: Caller,
  wish: ProvidersFileImport,
): Promise<ProvidersFileImported> {
  const plan = await planImport(context, wish);
  if (wish.dry_run) return viewOf(plan);
  refuseBroken(plan);
  if (plan.created.length > 0 || plan.routes.length > 0 || plan.models.fresh.length > 0)
    await changeConfiguration(context, caller, async (queries) => {
      const providers: Record<string, unknown> = {};
      for (const planned of plan.created)
        providers[planned.id] = auditView(await saveConnection(queries, planned));
      const models = await saveModels(queries, plan.models, caller.actor.name);
      const before = await readRouteRows(queries);
      // Routes that a former model of the same id left know nothing of this one's fields.
      const there = withoutModels(before, new Set(Object.keys(models).filter((id) => !isSpecified(id))));
      const added = plan.routes.map((entry) => ({ entry }));
      await writeRoutes(queries, before, [...there, ...added]);
      const changed = routesChanged(before, await readRouteRows(queries));
      return {
        ...changed,
        action: "configuration.imported",
        touches: [...(changed.touches ?? []), ...Object.keys(providers), ...Object.keys(models)],
        before: { ...changed.before, providers: {}, models: formerStates(models) },
        after: { ...changed.after, providers, models },
      };
    });
  return viewOf(plan);
}

/** An own model was not offered before; one of the specification was, without a name or an access. */
function formerStates(models: Record<string, unknown>): Record<string, ModelState | null> {
  const published = { revision: null, display_name: null, hidden: false, accounts: null };
  return Object.fromEntries(Object.keys(models).map((id) => [id, isSpecified(id) ? published : null]));
}

function refuseBroken({ problems, missing_keys }: ImportPlan): void {
  const [variable] = missing_keys;
  const missing =
    variable &&
    `The environment variable ${variable.name} of ${variable.provider} is not set. Send its key in keys.`;
  const message = problems[0] ?? missing;
  if (message) throw new ApiError("invalid_parameter", message, { param: problems[0] ? "file" : "keys" });
}

function viewOf({ fresh, routes, routesKept, ...plan }: ImportPlan): ProvidersFileImported {
  return {
    object: "providers_file_import",
    created: fresh,
    models: plan.models.fresh.map(({ id }) => id),
    models_kept: plan.models.kept,
    routes: routes.length,
    routes_kept: routesKept,
    kept: plan.kept,
    missing_keys: plan.missing_keys,
    problems: plan.problems,
    notes: plan.notes,
  };
}
