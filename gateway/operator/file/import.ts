import type { ProvidersFileImport, ProvidersFileImported } from "#contract/operator-file.ts";
import type { Caller } from "#gateway/accounts/audit.ts";
import type { Context } from "#gateway/context.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import { changeConfiguration } from "../change.ts";
import { auditView } from "../providers/audit-view.ts";
import { saveConnection } from "../providers/create.ts";
import { readRouteRows } from "../routes/read-routes.ts";
import { changeRoutes } from "../routes/replace.ts";
import { type ImportPlan, planImport } from "./plan-import.ts";

/**
 * Takes the providers and routes of a providers file into the console, in one change. Keys stay references to the file's
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
  if (plan.created.length > 0 || plan.routes.length > 0)
    await changeConfiguration(context, caller, async (queries) => {
      const providers: Record<string, unknown> = {};
      for (const planned of plan.created)
        providers[planned.id] = auditView(await saveConnection(queries, planned));
      const there = (await readRouteRows(queries)).map(({ id, entry }) => ({ id, entry }));
      const added = plan.routes.map((entry) => ({ entry }));
      const changed = await changeRoutes(context, queries, [...there, ...added], plan.connections);
      return {
        ...changed,
        action: "configuration.imported",
        touches: [...(changed.touches ?? []), ...Object.keys(providers)],
        before: { ...changed.before, providers: {} },
        after: { ...changed.after, providers },
      };
    });
  return viewOf(plan);
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
    routes: routes.length,
    routes_kept: routesKept,
    kept: plan.kept,
    missing_keys: plan.missing_keys,
    problems: plan.problems,
    notes: plan.notes,
  };
}
