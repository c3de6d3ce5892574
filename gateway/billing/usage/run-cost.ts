import { timeOfId, ulidOf } from "#contract/ids.ts";
import { type PriceKind, priceKinds, unitOfKind } from "#contract/money/constants.ts";
import type { Cost, CostLine, OperatorRunCost, RunCost } from "#contract/money/cost.ts";
import { decimalOf, decimalText, withPercent } from "#contract/money/decimal.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import type { BillingContext } from "#gateway/billing/context.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { inArray, sql } from "#gateway/platform/database/drizzle.ts";
import { markups, prices, usageLines } from "#gateway/platform/database/schema.ts";
import { type ExtraUnit, failedUnit } from "./lines.ts";

type Line = typeof usageLines.$inferSelect;

/** The price versions that lines refer to. */
interface Versions {
  components: ReadonlyMap<string, readonly PriceComponent[]>;
  percents: ReadonlyMap<string, bigint>;
}

const noVersions: Versions = { components: new Map(), percents: new Map() };
const runForm = /^(gen|pred)_[0-9a-hjkmnp-tv-z]{26}$/;

/**
 * How the account's charge for a run was calculated. Throws `run_not_found`, also for another account's run.
 */
export async function runCost(context: BillingContext, accountId: string, runId: string): Promise<RunCost> {
  const lines = (await readLines(context, runId)).filter(isPaid);
  if (lines[0]?.accountId !== accountId) throw notFound(runId);
  return chargeView(context, runId, lines, await readVersions(context.database.queries, lines));
}

/** The account's charge for a run; null if no usage of the run is recorded. */
export async function readCost(
  context: BillingContext,
  accountId: string,
  runId: string,
): Promise<Cost | null> {
  const lines = (await readLines(context, runId)).filter(isPaid);
  if (lines[0]?.accountId !== accountId) return null;
  const { amount, currency, reason } = chargeView(context, runId, lines, noVersions);
  return { amount, currency, reason };
}

/**
 * The charge for a run of any account, with the operator's cost of the run and of its failed tries. Throws
 * `run_not_found`.
 */
export async function operatorRunCost(context: BillingContext, runId: string): Promise<OperatorRunCost> {
  const lines = await readLines(context, runId);
  const first = lines.find(isPaid) ?? lines[0];
  if (!first) throw notFound(runId);
  const versions = await readVersions(context.database.queries, lines);
  return {
    object: "operator.run_cost",
    account_id: first.accountId,
    provider: first.provider,
    region: first.region,
    cost: costView(context, runId, lines, versions),
    charge: chargeView(context, runId, lines.filter(isPaid), versions),
  };
}

/** Whether the account pays for a line; it does not pay for failed attempts. */
function isPaid({ unit }: Line): boolean {
  return unit !== failedUnit;
}

async function readLines({ database, meter }: BillingContext, runId: string): Promise<Line[]> {
  if (!runForm.test(runId)) throw notFound(runId);
  await meter.flush();
  return database.queries
    .select()
    .from(usageLines)
    .where(sql`${usageLines.run} = ${ulidOf(runId)} and ${usageLines.runPrefix} = ${runId.split("_")[0]}`)
    .orderBy(usageLines.kind);
}

function notFound(runId: string): ApiError {
  return new ApiError(
    "run_not_found",
    `There is no recorded usage for a run "${runId}". Usage lines are removed with the history.`,
  );
}

async function readVersions(queries: Queries, lines: readonly Line[]): Promise<Versions> {
  const ids = [
    ...new Set(lines.flatMap(({ priceId, sellingId }) => [priceId, sellingId].filter((id) => id !== null))),
  ];
  if (ids.length === 0) return { components: new Map(), percents: new Map() };
  const [priced, percents] = await Promise.all([
    queries
      .select({ id: prices.id, components: prices.components })
      .from(prices)
      .where(inArray(prices.id, ids)),
    queries
      .select({ id: markups.id, percent: markups.percent })
      .from(markups)
      .where(inArray(markups.id, ids)),
  ]);
  return {
    components: new Map(priced.map(({ id, components }) => [id, components ?? []])),
    percents: new Map(percents.map(({ id, percent }) => [id, decimalOf(percent)])),
  };
}

function costView(
  { config }: BillingContext,
  runId: string,
  lines: readonly Line[],
  { components }: Versions,
): RunCost {
  return viewOf(config.currency, runId, lines, (line) => {
    const component =
      line.component === null ? undefined : components.get(line.priceId ?? "")?.[line.component];
    return { amount: line.cost, component, priceId: line.priceId };
  });
}

function chargeView(
  { config }: BillingContext,
  runId: string,
  lines: readonly Line[],
  versions: Versions,
): RunCost {
  return viewOf(config.currency, runId, lines, (line) => {
    const { charge: amount, priceId, sellingId, sellingComponent } = line;
    const percent = versions.percents.get(sellingId ?? "");
    // The account has its own price. If that has no rate for an extra, the rate of the cost price must not be
    // shown instead.
    if (sellingId !== null && percent === undefined) {
      const own = versions.components.get(sellingId);
      return {
        amount,
        component: sellingComponent === null ? undefined : own?.[sellingComponent],
        priceId: sellingId,
      };
    }
    const component =
      line.component === null ? undefined : versions.components.get(priceId ?? "")?.[line.component];
    if (!component || percent === undefined) return { amount, component, priceId };
    const rate = decimalText(withPercent(decimalOf(component.rate), percent));
    return { amount, component: { ...component, rate }, priceId };
  });
}

interface Side {
  amount: string | null;
  component: PriceComponent | undefined;
  priceId: string | null;
}

function viewOf(
  currency: string,
  runId: string,
  lines: readonly Line[],
  sideOf: (line: Line) => Side,
): RunCost {
  let sum: bigint | null = 0n;
  const shown = lines.map((line): CostLine => {
    const { amount, component, priceId } = sideOf(line);
    sum = sum === null || amount === null ? null : sum + decimalOf(amount);
    const { priceKind, about } = partsOfKind(line.kind);
    return {
      kind: priceKind,
      unit: unitOfKind[priceKind],
      about,
      quantity: line.quantity,
      per: component?.per ?? null,
      rate: component?.rate ?? null,
      when: component?.when ?? null,
      amount: amount === null ? null : decimalText(decimalOf(amount)),
      price_id: priceId,
    };
  });
  const isFree =
    sum !== null && lines.every(({ priceId, sellingId }) => priceId === null && sellingId === null);
  const freeReason = lines[0]?.provider === "sandbox" ? "sandbox" : "nothing_billed";
  return {
    object: "run_cost",
    run_id: runId,
    model: lines[0]?.model ?? "",
    admitted_at: new Date(timeOfId(runId)).toISOString(),
    amount: sum === null ? null : decimalText(sum),
    currency,
    reason: sum === null ? "not_priced" : isFree ? freeReason : null,
    lines: shown,
  };
}

const known: ReadonlySet<string> = new Set(priceKinds);
/** The names of kinds in earlier releases. */
const former: ReadonlyMap<string, PriceKind> = new Map([
  ["token:input", "input_token"],
  ["token:output", "output_token"],
]);
/** The unit of a fee per request. */
const request: ExtraUnit = "request";

/** The parts of a stored line's kind: what is counted, and what may set its price, such as `720P`. */
function partsOfKind(kind: string): { priceKind: PriceKind; about: string } {
  const ofTokens = former.get(kind);
  if (ofTokens) return { priceKind: ofTokens, about: "" };
  const at = kind.indexOf(":");
  const [word, about] = at < 0 ? [kind, ""] : [kind.slice(0, at), kind.slice(at + 1)];
  if (word === request) return { priceKind: "operation", about };
  if (word === "generation") return { priceKind: "image", about };
  return { priceKind: known.has(word) ? (word as PriceKind) : "operation", about };
}
