import type { OperatorModelCreate } from "#contract/operator/models.ts";
import type { RouteEntry } from "#contract/operator/routes.ts";
import type { Context } from "#gateway/context.ts";
import { templateEntries } from "#gateway/models/catalog/entries.ts";
import { staticModel } from "#gateway/models/catalog/registry.ts";
import { expandRoute } from "#gateway/models/providers/file/expand-route.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { withProviderName } from "../providers/names.ts";
import { connectionProblems, keyedProvider } from "../routes/read-routes.ts";
import { changeEntry } from "./change-entry.ts";
import { checkEntry } from "./check-entry.ts";
import { entryOfTemplate } from "./entry-of-template.ts";
import type { EntryPlan } from "./import/entry-of-import.ts";
import { entryOfUpstream } from "./import/entry-of-upstream.ts";

/** An entry that could be made, with its routes. */
export interface ModelPlan extends EntryPlan {
  routes: RouteEntry[];
}

/**
 * The entry that a request describes, checked as if it were saved. Reads the description of an imported model from its
 * provider. Throws `invalid_parameter`, `invalid_schema`, `model_not_found`, or what the provider answered.
 */
export async function planModel(context: Context, wish: OperatorModelCreate): Promise<ModelPlan> {
  if (Boolean(wish.template) === Boolean(wish.import))
    throw new ApiError("invalid_parameter", "Name one of template and import: what the entry is made from.", {
      param: wish.template ? "import" : "template",
    });
  const today = clock.date().toISOString().slice(0, 10);
  const { id } = wish;
  const plan = wish.import
    ? await entryOfUpstream(context, { ...wish, import: wish.import }, today)
    : {
        entry: entryOfTemplate(templateEntries, wish.template as NonNullable<typeof wish.template>, {
          id,
          regions: wish.regions ?? null,
          today,
        }),
        upstreamModel: null,
        rename: {},
        notes: [],
      };
  // The name of the prompt field is the upstream's here, and was used above.
  const { prompt: _, ...fields } = wish.fields ?? {};
  const entry = changeEntry(plan.entry, { ...wish, ...(wish.fields && { fields }) });
  checkEntry(entry);
  const routes = routesOf(wish, plan).map((route) => withProviderName(context, route));
  assertRoutesFit(context, routes, staticModel(entry));
  return { ...plan, entry, routes };
}

/** An import is routed to where it came from; further routes come after. */
function routesOf(wish: OperatorModelCreate, { upstreamModel, provider, rename }: EntryPlan): RouteEntry[] {
  const models = [wish.id];
  const fields = Object.keys(rename).length > 0 ? { fields: { rename } } : {};
  const { thinks_silently, accepts_prefill } = wish.import ?? {};
  const facts = {
    ...(thinks_silently !== undefined && { thinks_silently }),
    ...(accepts_prefill && { accepts_prefill }),
  };
  const imported =
    provider && upstreamModel
      ? [{ models, provider, upstream_model: upstreamModel, ...fields, ...facts }]
      : [];
  return [...imported, ...(wish.routes ?? []).map((route) => ({ models, ...route }))];
}

function assertRoutesFit(
  context: Context,
  routes: readonly RouteEntry[],
  model: ReturnType<typeof staticModel>,
): void {
  const { connections } = context.configuration.current.configuration;
  for (const [index, route] of routes.entries()) {
    const [first] = [
      ...connectionProblems(connections, route.provider),
      ...expandRoute(route, keyedProvider(connections, route.provider), [model]).problems,
    ];
    if (!first) continue;
    const param = `routes[${index}]${first.at}`;
    throw new ApiError("invalid_parameter", `${param} ${first.problem}`, { param });
  }
}
