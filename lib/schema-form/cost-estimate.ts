import { countCharacters } from "#contract/characters.ts";
import { componentsByKind, componentsOfKind, type LineFacts, mayHold } from "#contract/money/components.ts";
import type { PriceKind } from "#contract/money/constants.ts";
import { amountOf, decimalText } from "#contract/money/decimal.ts";
import { answeredKinds, maxTokens, readKinds } from "#contract/money/max-tokens.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import type { OwnPrice } from "#contract/prices.ts";
import type { Words } from "../../messages/words.ts";
import { formatMoney } from "../money.ts";
import { rateLabel } from "../rate-labels.ts";
import { listText } from "../words/list-text.ts";
import { approximateTokens, type BilledOperation, secondsAtMost } from "./estimate.ts";
import { isObject, type JsonObject, numberOf } from "./json.ts";

/** The cost of a run, estimated before it runs. */
export type CostEstimate =
  | { state: "sandbox" | "not_priced" }
  /** The usage cannot be estimated: only the rates are known. */
  | { state: "unknown"; rates: PriceComponent[] }
  | {
      state: "amount";
      amount: string;
      /**
       * `exact`. `most`: at most this amount. `about`: close to this amount. `input`: about this amount plus
       * the cost of the answer.
       */
      bound: "exact" | "most" | "about" | "input";
      rates: PriceComponent[];
    };

interface EstimateLine {
  kinds: readonly PriceKind[];
  quantity: number;
  facts: LineFacts;
  /** True when the actual quantity may be lower. */
  isMaximum: boolean;
  /** True when usage without a rate is free. */
  isExtra?: boolean;
}

/** Estimates the cost at the most expensive place, because the request may run at any of them. */
export function estimateCost(
  body: JsonObject,
  operation: BilledOperation,
  { places }: OwnPrice,
): CostEstimate {
  const paid = places.filter(({ sandbox }) => !sandbox);
  if (paid.length === 0) return { state: places.length > 0 ? "sandbox" : "not_priced" };
  const prices = paid.map(({ components }) => components);
  if (prices.some((components) => components === null)) return { state: "not_priced" };
  const [first = []] = prices as PriceComponent[][];
  const read = linesOf(body, operation);
  if (!read) return { state: "unknown", rates: first };
  if (operation.billing_unit !== "operation")
    read.lines.push({
      kinds: ["operation"],
      quantity: 1,
      facts: factsOf(body),
      isMaximum: false,
      isExtra: true,
    });
  let least: bigint | null = null;
  let most = 0n;
  let rates: PriceComponent[] = first;
  for (const components of prices as PriceComponent[][]) {
    const sums = boundsOf(components, read.lines);
    if (!sums) return { state: "not_priced" };
    if (least === null || sums.least < least) least = sums.least;
    if (sums.most >= most) {
      most = sums.most;
      rates = sums.rates;
    }
  }
  const isExact = least === most && read.lines.every((line) => !line.isMaximum);
  // The model's fields decide how many images are given.
  const isOpen = (prices as PriceComponent[][]).flat().some(({ kind }) => kind === "input_image");
  const bound = read.isInputOnly ? "input" : isOpen ? "about" : isExact ? "exact" : "most";
  return { state: "amount", amount: decimalText(most), bound, rates };
}

/** Minimum and maximum cost under one price: a condition on an unknown fact may or may not apply. */
function boundsOf(
  components: readonly PriceComponent[],
  lines: readonly EstimateLine[],
): { least: bigint; most: bigint; rates: PriceComponent[] } | null {
  const byKind = componentsByKind(components);
  const sums = { least: 0n, most: 0n, rates: [] as PriceComponent[] };
  for (const { kinds, quantity, facts, isExtra = false } of lines) {
    const possible = kinds.flatMap((kind) =>
      componentsOfKind(byKind, kind).filter(({ when }) => when === null || mayHold(when, facts)),
    );
    const amounts = possible.map(({ rate, per, at }) => ({ at, amount: amountOf(rate, quantity, per) }));
    const dearestFirst = amounts.toSorted((one, other) => (one.amount < other.amount ? 1 : -1));
    const [dearest, cheapest] = [dearestFirst[0], dearestFirst.at(-1)];
    if (isExtra && !dearest) continue;
    if (!dearest || !cheapest) return null;
    sums.most += dearest.amount;
    sums.least += cheapest.amount;
    const used = components[dearest.at];
    if (used) sums.rates.push(used);
  }
  return sums;
}

/** The usage of the run, as far as its input determines it. */
function linesOf(
  body: JsonObject,
  operation: BilledOperation,
): { lines: EstimateLine[]; isInputOnly: boolean } | null {
  const facts = factsOf(body);
  const one = (kinds: readonly PriceKind[], quantity: number, isMaximum = false) => ({
    lines: [
      {
        kinds,
        quantity,
        facts: { ...facts, durationSeconds: kinds.includes("second") ? quantity : null },
        isMaximum,
      },
    ],
    isInputOnly: false,
  });
  switch (operation.billing_unit) {
    case "character":
      return one(["character"], countCharacters(typeof body.input === "string" ? body.input : ""));
    case "generation":
      return one(["image"], numberOf(body.n) ?? 1);
    case "operation":
      return one(["operation"], 1);
    case "second": {
      const seconds = secondsAtMost(body, operation);
      return seconds && one(["second"], seconds.quantity, seconds.isMaximum);
    }
    case "token":
      return tokenLines(body, operation, facts);
  }
}

/** The tokens that a run reserves from a budget. No run uses more. */
function tokenLines(
  body: JsonObject,
  { limits }: BilledOperation,
  facts: LineFacts,
): { lines: EstimateLine[]; isInputOnly: boolean } | null {
  const bytes = hasMedia(body) ? null : new TextEncoder().encode(JSON.stringify(body)).length;
  const { read, answered } = maxTokens(limits, body, bytes);
  if (answered === null) {
    const input = approximateTokens(body);
    const ofInput = { ...facts, contextTokens: input };
    return {
      lines: [{ kinds: ["input_token", "token"], quantity: input, facts: ofInput, isMaximum: true }],
      isInputOnly: true,
    };
  }
  if (read === null) return null;
  const ofRun = { ...facts, contextTokens: read };
  const lines: EstimateLine[] = [{ kinds: readKinds, quantity: read, facts: ofRun, isMaximum: true }];
  if (answered > 0) lines.push({ kinds: answeredKinds, quantity: answered, facts: ofRun, isMaximum: true });
  return { lines, isInputOnly: false };
}

/** Whether a message has a part other than text. */
function hasMedia({ messages }: JsonObject): boolean {
  return (Array.isArray(messages) ? messages : []).some(
    (message) =>
      isObject(message) &&
      Array.isArray(message.content) &&
      message.content.some((part) => isObject(part) && part.type !== "text"),
  );
}

const pixels = /^(\d{2,5})[x*](\d{2,5})$/;

function factsOf({ resolution, size, quality, width, height, audio, generate_audio }: JsonObject): LineFacts {
  const sides = typeof size === "string" ? pixels.exec(size) : null;
  const measured = typeof width === "number" && typeof height === "number" ? `${width}x${height}` : undefined;
  const sound = generate_audio ?? audio;
  return {
    resolution: wordOf(resolution),
    size: measured ?? (sides ? `${sides[1]}x${sides[2]}` : undefined),
    quality: wordOf(quality),
    audio: typeof sound === "boolean" ? sound : undefined,
  };
}

function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "auto" ? value : undefined;
}

/** The estimated cost of a run in a few words. */
export function estimateLabel(t: Words<"amounts">, estimate: CostEstimate, currency: string): string {
  switch (estimate.state) {
    case "sandbox":
      return t("sandboxFree");
    case "not_priced":
      return t("notPriced");
    case "unknown":
      return ratesText(
        t,
        estimate.rates.filter(({ when }) => !when),
        currency,
      );
    case "amount": {
      const amount = formatMoney(estimate.amount, currency);
      return estimate.bound === "exact" ? amount : t(bounds[estimate.bound], { amount });
    }
  }
}

const bounds = { most: "atMost", about: "about", input: "plusAnswer" } as const;

/** The rates behind an estimate. */
export function estimateSource(
  t: Words<"amounts">,
  estimate: CostEstimate,
  currency: string,
): string | undefined {
  if (!("rates" in estimate)) return undefined;
  return t("ratesFrom", { rates: ratesText(t, estimate.rates, currency) });
}

function ratesText(t: Words<"amounts">, rates: readonly PriceComponent[], currency: string): string {
  return listText(
    t.language,
    rates.map((rate) => rateLabel(t, rate, currency)),
    "plain",
  );
}
