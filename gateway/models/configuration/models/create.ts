import type { OperatorModel, OperatorModelCreate, OperatorModelProposal } from "#contract/operator/models.ts";
import type { RouteEntry } from "#contract/operator/routes.ts";
import { ownEntries, templateEntries } from "#gateway/models/catalog/entries.ts";
import { staticModel } from "#gateway/models/catalog/registry.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { expandRoute } from "#gateway/models/providers/file/expand-route.ts";
import type { Caller } from "#gateway/platform/core/actor.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { inArray } from "#gateway/platform/database/drizzle.ts";
import { accounts } from "#gateway/platform/database/schema.ts";
import { changeConfiguration } from "../change.ts";
import { withProviderName } from "../providers/names.ts";
import { connectionProblems, keyedProvider, readRouteRows } from "../routes/read-routes.ts";
import { withoutModels, writeRoutes } from "../routes/replace.ts";
import { changeEntry, checkEntry } from "./change-entry.ts";
import { entryOfTemplate } from "./entry-of-template.ts";
import type { EntryPlan } from "./import/entry-of-import.ts";
import { entryOfUpstream } from "./import/entry-of-upstream.ts";
import { findModel, modelView } from "./model-view.ts";
import { type Settings, saveContent, saveSettings, stateOf } from "./states.ts";
import { findOwnModel } from "./stored-models.ts";

/** The visibility settings of a request. */
function settingsOf({ title, display_name, hidden, accounts: named }: OperatorModelCreate): Settings {
  return { display_name: display_name ?? title ?? null, hidden: hidden ?? false, accounts: named ?? null };
}

/**
 * Creates an entry from a template, or imports one, with its routes. Throws `model_exists` for an id in use,
 * and the errors of `planModel`.
 */
export async function createModel(
  context: ModelsContext,
  caller: Caller,
  requested: OperatorModelCreate,
  left: AbortSignal,
): Promise<OperatorModel> {
  const { queries } = context.database;
  await assertFree(queries, requested.id);
  await assertAccountsExist(queries, requested.accounts);
  const plan = await planModel(context, requested, left);
  return changeConfiguration(context, caller, async (tx) => {
    await assertFree(tx, requested.id);
    await saveContent(tx, { entry: plan.entry, source: sourceOf(requested), madeBy: caller.actor.name });
    await saveSettings(tx, requested.id, settingsOf(requested));
    await replaceRoutesOf(tx, requested.id, plan.routes);
    return {
      action: "model.created",
      targetId: requested.id,
      before: null,
      after: await stateOf(tx, requested.id),
      result: await findModel(tx, requested.id),
    };
  });
}

/** A former entry with this id may have left routes, which do not fit the fields of the new entry. */
async function replaceRoutesOf(queries: Queries, id: string, routes: readonly RouteEntry[]): Promise<void> {
  const before = await readRouteRows(queries);
  const others = withoutModels(before, new Set([id]));
  await writeRoutes(queries, before, [...others, ...routes.map((entry) => ({ entry }))]);
}

/** What `createModel` would create, without saving it. */
export async function proposeModel(
  context: ModelsContext,
  requested: OperatorModelCreate,
  left: AbortSignal,
): Promise<OperatorModelProposal> {
  await assertFree(context.database.queries, requested.id);
  await assertAccountsExist(context.database.queries, requested.accounts);
  const plan = await planModel(context, requested, left);
  return {
    object: "operator.model_proposal",
    model: proposalView(plan, requested),
    routes: plan.routes.map(({ provider, upstream_model, fields }) => ({
      provider,
      upstream_model,
      rename: { ...fields?.rename },
    })),
    notes: plan.notes,
  };
}

function proposalView({ entry }: ModelPlan, requested: OperatorModelCreate): OperatorModel {
  const { display_name = null, hidden = false, accounts: named = null } = settingsOf(requested);
  const now = clock.date();
  const row = { id: entry.id, revision: 1, changeNumber: 0, leftAt: null, createdAt: now, updatedAt: now };
  return modelView({
    entry,
    settings: { modelId: entry.id, displayName: display_name, hidden, accounts: named },
    own: { row, source: sourceOf(requested) },
    running: 0,
  });
}

function sourceOf({ template, import: from }: OperatorModelCreate) {
  if (from) return { kind: "import" as const, provider: from.provider, name: from.name };
  if (template) return { kind: "template" as const, ...template };
  throw new Error("a request names a template or an import");
}

export async function assertFree(queries: Queries, id: string): Promise<void> {
  if (id.startsWith("svc/"))
    throw new ApiError(
      ownEntries.load().some((entry) => entry.id === id) ? "model_exists" : "invalid_parameter",
      "svc is the namespace of the built-in models. Choose another one, such as your organisation's name.",
      { param: "id" },
    );
  const own = await findOwnModel(queries, id);
  if (own && !own.row.leftAt)
    throw new ApiError("model_exists", `There is already a model ${id}. Change it, or choose another id.`, {
      param: "id",
    });
}

/** Throws `invalid_parameter` for ids of unknown accounts. */
export async function assertAccountsExist(
  queries: Queries,
  named: readonly string[] | null | undefined,
): Promise<void> {
  if (!named || named.length === 0) return;
  const rows = await queries
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, [...named]));
  const unknown = named.filter((id) => !rows.some((row) => row.id === id));
  if (unknown.length > 0)
    throw invalidParameter(
      "accounts",
      `There is no account ${unknown.join(", ")}. GET /v1/operator/accounts lists them.`,
    );
}

/** A checked entry with its routes. */
interface ModelPlan extends EntryPlan {
  routes: RouteEntry[];
}

/**
 * Builds and checks the entry that a request describes. For an import, reads the model's description from its
 * provider. Throws `invalid_parameter`, `invalid_schema`, `model_not_found`, or the provider's error.
 */
async function planModel(
  context: ModelsContext,
  requested: OperatorModelCreate,
  left: AbortSignal,
): Promise<ModelPlan> {
  if (Boolean(requested.template) === Boolean(requested.import))
    throw invalidParameter(
      requested.template ? "import" : "template",
      "Send either template or import, but not both: the entry is made from it.",
    );
  const today = clock.date().toISOString().slice(0, 10);
  const { id } = requested;
  const plan = requested.import
    ? await entryOfUpstream(context, { ...requested, import: requested.import }, today, left)
    : {
        entry: entryOfTemplate(
          templateEntries,
          requested.template as NonNullable<typeof requested.template>,
          {
            id,
            regions: requested.regions ?? null,
            today,
          },
        ),
        upstreamModel: null,
        rename: {},
        notes: [],
      };
  // `fields.prompt` is the upstream's name of the prompt field. The proposal above has already used it.
  const { prompt: _, ...fields } = requested.fields ?? {};
  const entry = changeEntry(plan.entry, { ...requested, ...(requested.fields && { fields }) });
  checkEntry(entry);
  const routes = routesOf(requested, plan).map((route) => withProviderName(context, route));
  assertRoutesFit(context, routes, staticModel(entry));
  return { ...plan, entry, routes };
}

/** An import is routed to its provider first; further routes follow. */
function routesOf(
  requested: OperatorModelCreate,
  { upstreamModel, provider, rename }: EntryPlan,
): RouteEntry[] {
  const models = [requested.id];
  const fields = Object.keys(rename).length > 0 ? { fields: { rename } } : {};
  const { thinks_silently, accepts_prefill } = requested.import ?? {};
  const facts = {
    ...(thinks_silently !== undefined && { thinks_silently }),
    ...(accepts_prefill && { accepts_prefill }),
  };
  const imported =
    provider && upstreamModel
      ? [{ models, provider, upstream_model: upstreamModel, ...fields, ...facts }]
      : [];
  return [...imported, ...(requested.routes ?? []).map((route) => ({ models, ...route }))];
}

function assertRoutesFit(
  context: ModelsContext,
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
    throw invalidParameter(param, `${param} ${first.problem}`);
  }
}
