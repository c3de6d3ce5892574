import type { BillingUnit } from "#contract/catalog.ts";
import { timeOfId } from "#contract/ids.ts";
import type { Metadata } from "#contract/metadata.ts";
import type { LineFacts } from "#contract/money/components.ts";
import type { PriceKind } from "#contract/money/constants.ts";
import type { PriceBook } from "#gateway/billing/prices/book.ts";
import {
  type CountedLine,
  type Priced,
  priceLines,
  type RunFacts,
} from "#gateway/billing/prices/price-lines.ts";
import { type Actor, madeBy } from "#gateway/platform/core/actor.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";

/** A run's usage of one kind. */
export interface UsageLine extends CountedLine {
  /**
   * The counted unit and everything that may set its price: `input_token`, `second:720P`,
   * `image:1024x1024:high`.
   */
  kind: string;
  /** Extras have their own units, which quantity budgets do not count. */
  unit: BillingUnit | ExtraUnit;
}

/**
 * The unit of tokens that a failed attempt used: the operator pays for them; the account neither pays for
 * them nor sees them.
 */
export const failedUnit = "failed_token";

/**
 * Usage besides the billing unit, counted if the price has a rate for it. The lines' kinds have the same
 * names.
 */
export const extraUnits = ["request", "input_image", failedUnit] as const;

export type ExtraUnit = (typeof extraUnits)[number];

/** One run's usage, its payer, and its cost. */
export interface RunUsage extends RunFacts {
  /** `gen_…` or `pred_…`; contains the time of the run's admission. */
  runId: string;
  /** Null for a signed-in user. */
  keyId: string | null;
  /** Null for a service key. */
  userId: string | null;
  metadata: Metadata | null;
  /** The batch that the run was a row of. */
  batchId: string | null;
  /** The provider's key, if it has several. */
  upstreamKey?: string | undefined;
  lines: UsageLine[];
  priced: Priced;
}

/** The part of a run that is written to the database; it includes the facts that set its price. */
export interface SettledRun extends Omit<RunUsage, "apiType" | "admittedAtMs" | "sandbox" | "lines"> {
  lines: readonly Pick<UsageLine, "kind" | "unit" | "quantity" | "isExtra">[];
}

/** Further facts about a run. */
export interface RunDetail {
  /** The validated input, from which `resolution`, `size`, `quality` and sound are read. */
  input?: Readonly<Record<string, unknown>>;
  /** A chat's tokens as OpenAI counts them. */
  tokens?: { prompt_tokens: number; [detail: string]: unknown };
  /** The priority with which the upstream ran it. */
  serviceTier?: string | undefined;
  /** The output files. */
  outputs?: readonly { width?: number | null; height?: number | null }[];
}

/** The parts of a `ProviderRequest` that metering needs. */
interface MeteredRun {
  id: string;
  model: { id: string };
  operation: { api_type: string };
  region: string;
  /** The provider's key, if it has several. */
  key?: string;
  input: Record<string, unknown>;
  media?: readonly { kind: string }[];
}

/** The only client values that may become part of a kind; others could be arbitrarily long and numerous. */
const word = /^[\w.-]{1,20}$/;

const pixels = /^(\d{2,5})[x*](\d{2,5})$/;

/** The caller who pays for a run. */
export interface Payer {
  actor: Actor;
  metadata: Metadata | null;
  batchId?: string | null;
}

/** A request's usage, its payer, and its cost. */
export function usageOfOperation(
  book: PriceBook,
  payer: Payer,
  request: MeteredRun,
  provider: { id: string; sandbox: boolean } | null,
  usage: Usage,
  detail: Omit<RunDetail, "input"> = {},
): RunUsage {
  const { input, media } = request;
  const lines = usageLines(usage, { input, ...detail });
  return pricedRun(book, factsOf(payer, request, provider, lines), media);
}

/**
 * The operator's cost of a failed attempt: separate lines of the same run, which the account does not pay.
 * `nth`: the number of the attempt. Null if no price gives the attempt a cost.
 */
export function usageOfFailedTry(
  book: PriceBook,
  payer: Payer,
  {
    request,
    provider,
    nth,
  }: { request: MeteredRun; provider: { id: string; sandbox: boolean }; nth: number },
  tokens: { prompt_tokens: number; total_tokens: number },
): RunUsage | null {
  const counted = usageLines({ unit: "token", quantity: tokens.total_tokens }, { tokens: { ...tokens } });
  const run = factsOf({ ...payer, metadata: null }, request, provider, counted);
  const { cost } = priceLines(book, run, counted);
  if (!cost || cost.amount === 0n) return null;
  const lines = counted.map(
    (line): UsageLine => ({
      ...line,
      kind: `${line.kind}:failed-try-${nth}`,
      unit: failedUnit,
      isExtra: true,
    }),
  );
  const charge = { amount: 0n, lines: cost.lines.map((line) => ({ ...line, amount: 0n, saved: null })) };
  return { ...run, lines, priced: { cost, charge, markupId: null, reason: null } };
}

function factsOf(
  { actor, metadata, batchId = null }: Payer,
  { id, model, operation, region, key }: MeteredRun,
  provider: { id: string; sandbox: boolean } | null,
  lines: UsageLine[],
): Omit<RunUsage, "priced"> {
  const { keyId, userId } = madeBy(actor);
  return {
    runId: id,
    accountId: actor.accountId,
    keyId,
    userId,
    model: model.id,
    apiType: operation.api_type,
    provider: provider?.id ?? "",
    region,
    admittedAtMs: timeOfId(id),
    sandbox: provider?.sandbox ?? false,
    metadata,
    batchId,
    upstreamKey: key,
    lines,
  };
}

/** Adds the cost of a run's lines, and the extras that its price counts, for the given input files. */
export function pricedRun(
  book: PriceBook,
  run: Omit<RunUsage, "priced">,
  media: readonly { kind: string }[] = [],
): RunUsage {
  const priced = run as RunUsage;
  if (!run.sandbox && !book.isEmpty) addExtras(run, pricedKinds(book, run), media);
  priced.priced = priceLines(book, run, run.lines);
  return priced;
}

/** Whether the cost price of a run, or its account's own price, has a rate for a kind. */
function pricedKinds(book: PriceBook, run: RunFacts): (kind: PriceKind) => boolean {
  const price = book.costPrice(run, run.admittedAtMs);
  const own = book.ownPrice(run.accountId, run, run.admittedAtMs);
  return (kind) => price?.components.has(kind) || own?.components.has(kind) || false;
}

/** Adds the run's extras, but only those with a rate, so that other runs have no needless lines. */
function addExtras(
  { lines }: Pick<RunUsage, "lines">,
  isPriced: (kind: PriceKind) => boolean,
  media: readonly { kind: string }[],
): void {
  const [first] = lines;
  if (!first) return;
  const add = (extra: ExtraUnit, priceKind: PriceKind, quantity: number) => {
    const { facts } = first;
    if (quantity > 0) lines.push({ kind: extra, unit: extra, quantity, priceKind, facts, isExtra: true });
  };
  if (first.unit !== "operation" && isPriced("operation")) add("request", "operation", 1);
  if (isPriced("input_image"))
    add("input_image", "input_image", media.filter(({ kind }) => kind === "image").length);
}

/**
 * The lines of a run, which together are its usage; no two count the same thing. Tokens are split into read,
 * cached, cache-written, audio in and out, text and reasoning; seconds of video include their resolution and
 * whether they have sound, images their size and quality. Unknown parts are left out of the kind.
 */
export function usageLines(usage: Usage, detail: RunDetail = {}): UsageLine[] {
  if (!Number.isFinite(usage.quantity)) return [];
  return linesOf(usage, detail).filter(({ quantity }) => quantity > 0);
}

function linesOf({ unit, quantity }: Usage, detail: RunDetail): UsageLine[] {
  const { input = {}, tokens, outputs = [] } = detail;
  const line = (
    priceKind: PriceKind,
    count: number,
    facts: LineFacts | null,
    ...about: (string | null)[]
  ) => ({
    kind: kindOf(priceKind, about),
    unit,
    quantity: count,
    priceKind,
    facts,
  });
  switch (unit) {
    case "token":
      return tokens ? tokenLines(quantity, tokens, detail.serviceTier) : [line("token", quantity, null)];
    case "second": {
      const resolution = wordOf(input.resolution);
      const audio = soundOf(input);
      const facts = {
        resolution,
        audio,
        size: sizeOf(input),
        quality: wordOf(input.quality),
        durationSeconds: quantity,
      };
      return [line("second", quantity, facts, resolution, audio === true ? "audio" : null)];
    }
    case "generation": {
      const quality = wordOf(input.quality);
      const resolution = wordOf(input.resolution);
      const of = (size: string | null, count: number) =>
        line("image", count, { size, quality, resolution }, size, quality);
      // If an upstream bills a different number than it sent, it is unknown which images it bills.
      if (outputs.length !== quantity) return [of(sizeOf(input), quantity)];
      const sizes = outputs.map((output) => sizeOf(output) ?? sizeOf(input));
      return [...new Set(sizes)].map((size) => of(size, sizes.filter((other) => other === size).length));
    }
    case "character":
    case "operation":
      return [line(unit, quantity, null)];
  }
}

function kindOf(kind: PriceKind, about: (string | null)[]): string {
  return [kind, ...about.filter((part) => part !== null)].join(":");
}

function wordOf(value: unknown): string | null {
  return typeof value === "string" && word.test(value) ? value : null;
}

/** Whether a video has sound; null if the request does not say. */
function soundOf({
  generate_audio: generated,
  audio,
  with_audio: withAudio,
}: Record<string, unknown>): boolean | null {
  const said = [generated, audio, withAudio].find((value) => typeof value === "boolean");
  return said === undefined ? null : (said as boolean);
}

/** `1024x1024`, from the measured or requested width and height, or from a `size`. */
function sizeOf({
  width,
  height,
  size,
}: {
  width?: unknown;
  height?: unknown;
  size?: unknown;
}): string | null {
  if (typeof width === "number" && typeof height === "number") return `${width}x${height}`;
  const sides = typeof size === "string" ? pixels.exec(size) : null;
  return sides ? `${sides[1]}x${sides[2]}` : null;
}

/**
 * An upstream's count in OpenAI's form, in which the prompt includes cached tokens and the completion
 * includes reasoning.
 */
interface TokenCount {
  prompt_tokens: number;
  [detail: string]: unknown;
}

/** The prompt tokens from the upstream's cache. DeepSeek reports them outside the details. */
export function cachedTokens(count: TokenCount): number {
  const cached = membersOf(count.prompt_tokens_details)?.cached_tokens ?? count.prompt_cache_hit_tokens;
  return within(cached, within(count.prompt_tokens, Number.POSITIVE_INFINITY));
}

/**
 * The tokens of a chat, each counted under one kind. In OpenAI's form, to which all upstreams' answers are
 * converted, cached tokens are also prompt tokens, and reasoning is also completion.
 */
function tokenLines(total: number, count: TokenCount, serviceTier: string | undefined): UsageLine[] {
  const prompt = within(count.prompt_tokens, total);
  // Some upstreams count hidden reasoning only in the total; it was generated, so it counts as output.
  const output = total - prompt;
  const read = membersOf(count.prompt_tokens_details);
  const cached = within(cachedTokens(count), prompt);
  const written = within(read?.cache_write_tokens ?? read?.cache_creation_tokens, prompt - cached);
  const writtenLong = within(read?.cache_write_1h_tokens, written);
  const heard = within(read?.audio_tokens, prompt - cached - written);
  const said = membersOf(count.completion_tokens_details);
  const thought = within(said?.reasoning_tokens, output);
  const spoken = within(said?.audio_tokens, output - thought);
  const facts: LineFacts = { contextTokens: prompt, serviceTier };
  const lines: UsageLine[] = [];
  const add = (priceKind: PriceKind, quantity: number) => {
    if (quantity > 0) lines.push({ kind: priceKind, unit: "token", quantity, priceKind, facts });
  };
  add("input_token", prompt - cached - written - heard);
  add("cached_input_token", cached);
  add("cache_write_token", written - writtenLong);
  add("cache_write_1h_token", writtenLong);
  add("audio_input_token", heard);
  add("output_token", output - thought - spoken);
  add("reasoning_token", thought);
  add("audio_output_token", spoken);
  return lines;
}

/** Limits an upstream's count to plausible values: a whole number from 0 to `most`. */
function within(value: unknown, most: number): number {
  return typeof value === "number" && value > 0 ? Math.min(Math.floor(value), most) : 0;
}

function membersOf(details: unknown): Record<string, unknown> | null {
  return typeof details === "object" && details !== null ? (details as Record<string, unknown>) : null;
}
