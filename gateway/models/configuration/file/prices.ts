import type { FileChange } from "#contract/operator/file.ts";
import { everyone } from "#gateway/models/catalog/entry.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { PriceEntry, ProvidersFile } from "#gateway/models/providers/file/schema.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { sql } from "#gateway/platform/database/drizzle.ts";
import { prices } from "#gateway/platform/database/schema.ts";
import { changedSince } from "../change.ts";
import {
  assertComponents,
  insertPrices,
  isSamePrice,
  latestPrices,
  newPriceRow,
  type PriceRow,
  scopeKey,
  scopeOfCost,
} from "../prices/price-rows.ts";
import type { ModelsPlan } from "./models.ts";
import { differences } from "./plan-routes.ts";

interface PlannedPrice {
  name: string;
  entry: PriceEntry;
  /** The components that hold now; null: none. */
  before: PriceRow["components"];
  fields: FileChange["fields"];
}

/** The effect of importing the prices of a file. */
export interface PricesPlan {
  fresh: PlannedPrice[];
  /** Empty unless the import changes existing prices to match the file. */
  changed: PlannedPrice[];
  kept: string[];
  problems: string[];
  notes: string[];
}

export const noPrices: PricesPlan = { fresh: [], changed: [], kept: [], problems: [], notes: [] };

type PricePart = Pick<ProvidersFile, "currency" | "prices">;

/** What models cost now. Prices of single accounts, and those that begin later, are left out. */
export async function exportPrices({
  config,
  configuration,
  database,
}: ModelsContext): Promise<{ part: PricePart; notes: string[] }> {
  const { queries } = database;
  const rows = (await latestPrices(queries, "console")).filter(({ components }) => components !== null);
  const notes: string[] = [];
  const others = sql`${prices.accountId} is not null or ${prices.effectiveAt} > ${clock.date()}`;
  if ((await queries.$count(prices, others)) > 0)
    notes.push("Prices of single accounts, and prices that begin later, are left out.");
  if (configuration.pricesFile)
    notes.push(`The prices of ${configuration.pricesFile.path} are left out: copy that file, too.`);
  const entries = rows.map(({ model, apiType, provider, region, components }) => ({
    model,
    api_type: apiType,
    ...(provider !== null && { provider }),
    ...(region !== null && { region }),
    components: components ?? [],
  })) as PriceEntry[];
  return { part: entries.length > 0 ? { currency: config.currency, prices: entries } : {}, notes };
}

/**
 * Plans the import: existing prices stay unchanged, or with `sets` are changed to match the file. Writes
 * nothing.
 */
export async function planPrices(
  context: ModelsContext,
  { currency, prices: entries = [] }: PricePart,
  models: ModelsPlan,
  sets: boolean,
): Promise<PricesPlan> {
  const plan: PricesPlan = { fresh: [], changed: [], kept: [], problems: [], notes: [] };
  if (entries.length === 0) return plan;
  const { config, database } = context;
  if (currency !== undefined && currency !== config.currency)
    return {
      ...plan,
      problems: [
        `currency is ${currency}, and this installation counts in ${config.currency} (CURRENCY). Amounts are never converted.`,
      ],
    };
  const [own, ofFile] = await Promise.all(
    (["console", "file"] as const).map(async (source) => {
      const rows = await latestPrices(database.queries, source);
      return new Map(rows.map((row) => [scopeKey(row), row.components]));
    }),
  );
  const places = new Map<string, number>();
  const othersRun = yieldToEventLoop();
  for (const [at, entry] of entries.entries()) {
    await othersRun();
    const name = nameOf(entry);
    const key = scopeKey(scopeOfCost(entry));
    const wrong = problemOf(entry, at, places.get(key));
    places.set(key, at);
    if (wrong) {
      plan.problems.push(wrong);
      continue;
    }
    if (ofFile?.get(key)) plan.notes.push(`${name} has a price in PRICES_FILE, which applies instead.`);
    const before = own?.get(key) ?? null;
    const after = newPriceRow(scopeOfCost(entry), entry.components, {
      ...now(),
      source: "console",
    }).components;
    const planned = { name, entry, before, fields: differences(byKind(before), byKind(after)) };
    if (before === null) plan.fresh.push({ ...planned, fields: [] });
    else if (isSamePrice(before, after)) plan.kept.push(name);
    else if (sets) plan.changed.push(planned);
    else {
      plan.kept.push(name);
      plan.notes.push(`The price of ${name} is different in the file. The import does not change it here.`);
    }
  }
  plan.notes.push(...notesOnModels(context, plan, models));
  return plan;
}

function nameOf({ model, api_type: kind, provider, region }: PriceEntry): string {
  return `${model} ${kind}${provider ? ` by ${provider}` : ""}${region ? ` in ${region}` : ""}`;
}

function problemOf({ components }: PriceEntry, at: number, earlier: number | undefined): string | undefined {
  const place = `prices[${at}]`;
  if (earlier !== undefined)
    return `${place} has the same model, operation, provider and region as prices[${earlier}].`;
  try {
    assertComponents(components, `${place}.`);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** Each rate by its kind and condition, as `2.5 per 1000000`, so that a preview names what changes. */
function byKind(components: PriceRow["components"]): Record<string, string> {
  const rates = (components ?? []).map(({ kind, per, rate, when }) => {
    const conditions = Object.entries(when ?? {}).map(([name, value]) => `${name} ${value}`);
    return [[kind, ...conditions].join(", "), `${rate} per ${per}`] as const;
  });
  return Object.fromEntries(rates);
}

function notesOnModels(
  { catalog }: ModelsContext,
  { fresh, changed }: PricesPlan,
  models: ModelsPlan,
): string[] {
  const added = new Set(models.fresh.map(({ id }) => id));
  const named = new Set([...fresh, ...changed].map(({ entry }) => entry.model));
  const unknown = [...named].filter((model) => !added.has(model) && !catalog.has(model, everyone));
  return unknown.length > 0
    ? [`There are no models of these names yet; their prices wait for them: ${unknown.join(", ")}.`]
    : [];
}

/** Prices by their scope; null if there was or will be none. */
export type PriceStates = Record<string, PriceEntry | null>;

interface SavedPrices {
  before: PriceStates;
  after: PriceStates;
}

/** Writes a new version of each planned price. Only within a change. */
export async function savePrices(queries: Queries, { fresh, changed }: PricesPlan): Promise<SavedPrices> {
  const saved: SavedPrices = { before: {}, after: {} };
  const made = now();
  const rows = [...fresh, ...changed].map(({ entry, before }) => {
    const thing = thingOf(entry);
    saved.before[thing] = before && { ...entry, components: before };
    saved.after[thing] = entry;
    return newPriceRow(scopeOfCost(entry), entry.components, { ...made, source: "console" });
  });
  await insertPrices(queries, rows);
  return saved;
}

/**
 * Ends the prices of an import that is undone: a new version repeats what held before. Throws
 * `change_not_undoable` if one was changed since.
 */
export async function restorePrices(queries: Queries, { before, after }: SavedPrices): Promise<SavedPrices> {
  const things = Object.keys({ ...before, ...after });
  if (things.length === 0) return { before, after };
  const here = new Map((await latestPrices(queries, "console")).map((row) => [scopeKey(row), row]));
  const made = now();
  const rows = things.map((thing) => {
    const [was, is] = [before[thing] ?? null, after[thing] ?? null];
    const entry = (was ?? is) as PriceEntry;
    const scope = scopeOfCost(entry);
    const current = here.get(scopeKey(scope))?.components ?? null;
    const left = is && newPriceRow(scope, is.components, { ...made, source: "console" }).components;
    if (!isSamePrice(current, left)) throw changedSince(`The price of ${nameOf(entry)}`);
    return newPriceRow(scope, was?.components ?? null, { ...made, source: "console" });
  });
  await insertPrices(queries, rows);
  return { before: after, after: before };
}

/** The name of a price in the history of changes: its versions have ids of their own. */
function thingOf(entry: PriceEntry): string {
  return `price of ${nameOf(entry)}`;
}

function now(): Pick<PriceRow, "effectiveAt" | "createdAt"> {
  const date = clock.date();
  return { effectiveAt: date, createdAt: date };
}
