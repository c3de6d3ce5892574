import type { ApiType, CatalogOperation } from "#contract/catalog.ts";
import { newId, timeOfId } from "#contract/ids.ts";
import { decimalText } from "#contract/money/decimal.ts";
import { answeredKinds, maxTokens, readKinds } from "#contract/money/max-tokens.ts";
import type { AskedGuard } from "#contract/usage.ts";
import type { Most } from "#gateway/billing/budgets/reserve.ts";
import { type MaxLine, maxCost, type PossiblePlace } from "#gateway/billing/prices/price-lines.ts";
import type { Ask, Reservation } from "#gateway/billing/usage/budgets.ts";
import { measureFile } from "#gateway/models/providers/media/probe.ts";
import type { ResolvedMedia } from "#gateway/models/providers/provider.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { Admitted } from "./admit.ts";
import type { OutputCheck } from "./output-check.ts";
import { priceFacts } from "./price-facts.ts";
import { reserveTokens, type TellTokens } from "./token-rates.ts";

/** A run that is about to start. */
export interface AdmittedRun {
  /** `gen_…` or `pred_…`; contains the time of admission. */
  id: string;
  /** Its reservation in its key's budget; null without one. */
  reserved: Reservation | null;
  /** The most that it can cost, reserved in money budgets; null without one. */
  reservedCost: string | null;
  /** Asks about its output, if a guard wants that. The worker of a prediction makes its own. */
  check?: OutputCheck | null;
  /** What guards said of its input. */
  guards?: readonly AskedGuard[];
}

/** The bit rate assumed for audio that cannot be measured: 64 kbit/s, low so that the estimate is long. */
const thinAudioBytesPerSecond = 8_000;
/** Sync operations whose outputs are stored; async outputs are always stored. */
const storesOutputs: ReadonlySet<ApiType> = new Set(["image-generation", "image-editing"]);

/** How much a run can use at most, in the form that budgets accept. */
type Demand = Ask;

/**
 * Admits a run: gives it an id, reserves its tokens of this minute and its maximum usage and cost in budgets,
 * and releases the rest at its end. `tell` gets the state of the limit of tokens. Throws
 * `storage_limit_exceeded`, `budget_exceeded`, `not_priced`, and as `reserveTokens`, before anything has started.
 */
export async function withBudget<Result>(
  context: RunsContext,
  admitted: Admitted,
  work: (run: AdmittedRun) => Promise<Result>,
  tell?: TellTokens,
): Promise<Result> {
  const { meter, budgets, storageLimit } = context;
  const { actor, body } = admitted;
  const { operation } = admitted.compiled;
  meter.assertRoom();
  const isAsync = operation.execution_mode === "async";
  if (isAsync || storesOutputs.has(operation.api_type)) await storageLimit.assertRoom(actor.accountId);
  const id = newId(isAsync ? "prediction" : "generation");
  if (actor.tokenLimits.length > 0) admitted.tokens = await reserveTokens(context, admitted, tell);
  try {
    const { billing_unit: unit } = operation;
    const { hasMoneyLimit } = actor;
    const isLimited = budgets.limits(actor, unit);
    const ask = isLimited || hasMoneyLimit ? demandOf(operation, body) : null;
    const reserved = ask && isLimited ? await budgets.reserve(actor, id, unit, ask) : null;
    const reservedCost = ask && hasMoneyLimit ? await reserveMoney(context, admitted, id) : null;
    return await work({ id, reserved, reservedCost });
  } finally {
    budgets.giveBack(id);
    admitted.tokens?.settle();
  }
}

/** The most that a run can use according to its input; null if that depends on its media. */
function demandOf(operation: CatalogOperation, body: Record<string, unknown>): Demand | null {
  switch (operation.billing_unit) {
    case "token": {
      const most = body.max_completion_tokens ?? body.max_tokens;
      const answers = positive(body, "n") ?? 1;
      return typeof most === "number" ? { quantity: most * answers } : { runs: answers };
    }
    case "character":
      return { quantity: typeof body.input === "string" ? [...body.input].length : 0 };
    case "generation":
      return { quantity: positive(body, "n") ?? Math.max(1, ...positiveInFreeObjects(body, "n")) };
    case "second":
      if (operation.api_type === "audio-transcription") return null;
      return { quantity: positive(body, "duration") ?? longest(operation, body) };
    case "operation":
      return { quantity: 1 };
  }
}

/** The seconds to reserve when the request does not set a duration. */
function longest({ limits }: CatalogOperation, body: Record<string, unknown>): number {
  const { maxDurationSeconds } = limits;
  const most = typeof maxDurationSeconds === "number" ? maxDurationSeconds : 1;
  return Math.max(most, ...positiveInFreeObjects(body, "duration"));
}

/**
 * The field's values in the free-form objects `input` and `parameters`: an upstream can read them there if
 * the field itself is missing.
 */
function positiveInFreeObjects({ input, parameters }: Record<string, unknown>, name: string): number[] {
  return [input, parameters].flatMap((free) =>
    typeof free === "object" && free !== null ? (positive(free as Record<string, unknown>, name) ?? []) : [],
  );
}

function positive(fields: Record<string, unknown>, name: string): number | null {
  const value = fields[name];
  return typeof value === "number" && value > 0 ? value : null;
}

/**
 * Reserves for a transcription once its audio has been received and can be measured; null: nothing to
 * reserve. Throws as `withBudget`.
 */
export function reserveMeasured(
  context: RunsContext,
  admitted: Admitted,
  run: AdmittedRun,
  media: readonly ResolvedMedia[],
): Promise<void> | null {
  const { actor, body } = admitted;
  const { operation } = admitted.compiled;
  const isLimited = actor.hasMoneyLimit || context.budgets.limits(actor, operation.billing_unit);
  if (!isLimited || demandOf(operation, body) !== null) return null;
  return measureAndReserve(context, admitted, run, media);
}

async function measureAndReserve(
  context: RunsContext,
  admitted: Admitted,
  { id }: AdmittedRun,
  media: readonly ResolvedMedia[],
): Promise<void> {
  const { actor, compiled } = admitted;
  const unit = compiled.operation.billing_unit;
  let seconds = 0;
  for (const { file, kind, sizeBytes } of media)
    seconds += (await measureFile(file, kind)).duration ?? sizeBytes / thinAudioBytesPerSecond;
  const quantity = Math.max(1, Math.ceil(seconds));
  await context.budgets.reserve(actor, id, unit, { quantity });
  if (actor.hasMoneyLimit) await reserveMoney(context, admitted, id, quantity);
}

function reserveMoney(
  context: RunsContext,
  admitted: Admitted,
  id: string,
  quantity: number | null = null,
): Promise<string | null> {
  const { actor, batchId = null, compiled, metadata } = admitted;
  const most = maxCharge(context, admitted, timeOfId(id), quantity);
  return context.money.reserve({ actor, batchId, metadata }, { id, model: compiled.model.id, most });
}

/**
 * The most that the account can pay for a run, whichever provider runs it. `quantity`: the part that depends
 * on its media, such as the seconds of a transcription.
 */
export function maxCharge(
  { prices }: RunsContext,
  admitted: Admitted,
  admittedAtMs: number,
  quantity: number | null = null,
): Most {
  const { actor, compiled, region, otherRegions, wish } = admitted;
  const { model, operation } = compiled;
  // Which provider is the first is decided anew when the run is sent, so all that the wish accepts count.
  const routes = wish?.isFirstOnly
    ? admitted.routes.unwished.wishing({ ...wish, isFirstOnly: false })
    : admitted.routes;
  const places = [region, ...otherRegions].flatMap((place): PossiblePlace[] =>
    routes
      .route(model, operation, place)
      .map(({ id, sandbox }) => ({ provider: id, region: place, sandbox })),
  );
  if (places.length > 0 && places.every(({ sandbox }) => sandbox)) return { amount: "0" };
  const lines = maxLines(admitted, quantity);
  if (lines === null) return { amount: null, reason: "no maximum" };
  const facts = {
    accountId: actor.accountId,
    model: model.id,
    apiType: operation.api_type,
    admittedAtMs,
    places,
  };
  const { charge } = maxCost(prices.book, facts, lines);
  return charge === null ? { amount: null, reason: "not priced" } : { amount: decimalText(charge) };
}

/**
 * The most that a run can use, one line per price component, extras included; null if neither the request nor
 * the model limits the usage.
 */
function maxLines(admitted: Admitted, measured: number | null): MaxLine[] | null {
  const lines = billedLines(admitted, measured);
  const [first] = lines ?? [];
  if (!lines || !first) return lines;
  const { facts } = first;
  const { compiled, body } = admitted;
  const images = compiled.mediaOf(body).filter(({ kind }) => kind === "image" || kind === "any").length;
  if (compiled.operation.billing_unit !== "operation")
    lines.push({ kinds: ["operation"], quantity: 1, facts, isExtra: true });
  if (images > 0) lines.push({ kinds: ["input_image"], quantity: images, facts, isExtra: true });
  return lines;
}

function billedLines({ compiled, body }: Admitted, measured: number | null): MaxLine[] | null {
  const { operation } = compiled;
  if (operation.billing_unit === "token")
    return tokenLines(operation.limits, body, compiled.mediaOf(body).length > 0);
  const demand: Demand | null = demandOf(operation, body);
  const quantity = measured ?? (demand && "quantity" in demand ? demand.quantity : null);
  if (quantity === null) return null;
  const kinds = [operation.billing_unit === "generation" ? "image" : operation.billing_unit] as const;
  return [
    { kinds, quantity, facts: priceFacts(body, operation.billing_unit === "second" ? quantity : null) },
  ];
}

function tokenLines(
  limits: Readonly<Record<string, unknown>>,
  body: Record<string, unknown>,
  hasMedia: boolean,
): MaxLine[] | null {
  const bytes = hasMedia ? null : Buffer.byteLength(JSON.stringify(body));
  const { read, answered } = maxTokens(limits, body, bytes);
  if (read === null || answered === null) return null;
  const facts = { ...priceFacts(body, null), contextTokens: read };
  return [
    { kinds: readKinds, quantity: read, facts },
    ...(answered > 0 ? [{ kinds: answeredKinds, quantity: answered, facts }] : []),
  ];
}

/** The most units that a run can use; null if its input does not limit them. */
export function unitsAtMost({ compiled, body }: Admitted): number | null {
  const ask = demandOf(compiled.operation, body);
  return ask === null || "runs" in ask ? null : ask.quantity;
}
