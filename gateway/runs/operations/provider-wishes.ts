import { isDeepStrictEqual } from "node:util";
import { byName } from "#contract/by-name.ts";
import type { CatalogOperation, JsonSchema } from "#contract/catalog.ts";
import { compileBody } from "#contract/checks/request-check.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { quantityOf } from "#contract/money/decimal.ts";
import { ProviderWishes, type WishSort } from "#contract/provider-wishes.ts";
import { maxCost } from "#gateway/billing/prices/price-lines.ts";
import type { NativeRequest } from "#gateway/models/providers/provider.ts";
import type { RoutePlace, Wish } from "#gateway/models/providers/providers.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { validationError } from "#gateway/platform/http/validation.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import { jsonOf, textAsJson } from "./metadata.ts";
import { priceFacts } from "./price-facts.ts";

/** Carries the wishes when the body has no place for them. */
export const wishHeader = "x-svc-provider";
/** The field of a body. An entry whose input has this name takes its value itself: the header is left. */
export const wishField = "provider";

const example = '{"order":["acme"]}';

/** OpenRouter's wishes that nobody here checks, and what to do instead. A promise must not be taken for kept. */
const notKept = byName<string>({
  data_collection: "whether a provider keeps data is not checked here. Name those that you trust in `only`",
  zdr: "whether a provider keeps data is not checked here. Name those that you trust in `only`",
  enforce_distillable_text: "what a model's terms allow is not known here. Choose the model by them",
  quantizations: "how exactly a provider computes is not known here. Name providers in `only`",
  preferred_min_throughput: 'send `"sort": "throughput"`',
  preferred_max_latency: 'send `"sort": "latency"`',
});

/**
 * The wishes of a request, from its header and its body; for a name in both, the value in the body is used.
 * Null without any. Throws `invalid_parameter` for unknown names, bad values, and wishes that are not kept.
 */
export function readWishes(inBody: unknown, header: string | string[] | undefined): ProviderWishes | null {
  if (inBody === undefined && header === undefined) return null;
  const ofHeader =
    header === undefined ? {} : checked(jsonOf(String(header), wishHeader, example), wishHeader);
  const wishes = { ...ofHeader, ...checked(textAsJson(inBody, wishField), wishField) };
  return Object.keys(wishes).length === 0 ? null : wishes;
}

const checks = Object.fromEntries(
  [wishHeader, wishField].map((name) => [
    name,
    compileBody({ type: "object", properties: { [name]: ProviderWishes } }),
  ]),
);

function checked(value: unknown, name: string): ProviderWishes {
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw invalidParameter(name, `${name} must be an object, such as ${example}.`);
  const asked = withoutNulls(value);
  for (const wish of Object.keys(asked)) {
    const instead = notKept[wish];
    const param = `${name}.${wish}`;
    if (instead !== undefined) throw invalidParameter(param, `${param} is not supported: ${instead}.`);
  }
  if (typeof asked.sort === "string") asked.sort = { by: asked.sort };
  if (isRecord(asked.max_price))
    asked.max_price = Object.fromEntries(Object.entries(withoutNulls(asked.max_price)).map(numberOfText));
  const check = checks[name];
  if (check && !check({ [name]: asked })) throw validationError(check.errors ?? []);
  const lists = (["order", "only", "ignore"] as const).filter((list) => asked[list]?.length === 0);
  for (const list of lists) delete asked[list];
  return asked;
}

function withoutNulls(fields: Record<string, unknown>): Record<string, unknown> & ProviderWishes {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** OpenRouter takes a price as a number or as its text. */
function numberOfText([name, value]: [string, unknown]): [string, unknown] {
  return [name, typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value];
}

/** What the wishes are about. */
export interface WishingRun {
  accountId: string;
  /** The provider's input, with the defaults of its schema. */
  input: Record<string, unknown>;
  native?: NativeRequest | undefined;
}

/** The wishes of a request, with current prices and figures. */
export interface RequestWish extends Wish {
  wishes: ProviderWishes;
  /** The first wish that leaves none of these places; null if some are left. */
  leavesNone(places: readonly RoutePlace[]): keyof ProviderWishes | null;
}

/** The wish of a run. Throws `invalid_parameter` for a `max_price` where prices are not in dollars. */
export async function wishOf(
  context: Pick<RunsContext, "prices" | "providers">,
  wishes: ProviderWishes,
  run: WishingRun,
): Promise<RequestWish> {
  const { order, only, ignore, allow_fallbacks: goesOn = true, max_price: most = {} } = wishes;
  const { currency } = context.prices.book;
  if (wishes.max_price && currency !== "USD")
    throw invalidParameter(
      `${wishField}.max_price`,
      `${wishField}.max_price is in US dollars, but prices are in ${currency} here. Leave it out.`,
    );
  const isCheap = (place: RoutePlace) =>
    Object.entries(most).every(([part, limit]) => {
      const charge = chargeAt(context, place, [part as PricePart], run);
      return charge !== null && charge <= quantityOf(limit);
    });
  const filters: [keyof ProviderWishes, (place: RoutePlace) => boolean][] = [
    ["only", ({ provider }) => only?.includes(provider.id) ?? true],
    ["ignore", ({ provider }) => !ignore?.includes(provider.id)],
    ["order", ({ provider }) => goesOn || (order?.includes(provider.id) ?? true)],
    ["require_parameters", (place) => !wishes.require_parameters || takesAll(place, run)],
    ["max_price", isCheap],
  ];
  const figureOf = await figuresFor(context, wishes.sort?.by, run);
  return {
    wishes,
    accepts: (place) => filters.every(([, fits]) => fits(place)),
    rankOf(place) {
      const named = order?.indexOf(place.provider.id) ?? 0;
      return [named < 0 ? Number.POSITIVE_INFINITY : named, figureOf(place) ?? Number.POSITIVE_INFINITY];
    },
    isFirstOnly: !goesOn && order === undefined,
    leavesNone(places) {
      let left = places;
      for (const [wish, fits] of filters) {
        left = left.filter(fits);
        if (left.length === 0) return wish;
      }
      return null;
    },
  };
}

/** The figure by which a place is sorted, the lowest first; null: it has none. */
async function figuresFor(
  context: Pick<RunsContext, "prices" | "providers">,
  sort: WishSort | undefined,
  run: WishingRun,
): Promise<(place: RoutePlace) => number | null> {
  if (sort === undefined) return () => 0;
  if (sort === "price")
    return (place) => {
      const charge = chargeAt(context, place, comparedParts(place.operation), run);
      return charge === null ? null : Number(charge);
    };
  const tries = await context.providers.recentTries();
  return ({ provider, model, region }) => {
    const seen = tries.find(
      (one) => one.provider === provider.id && one.model === model.id && one.region === region,
    );
    if (!seen) return null;
    if (sort === "latency") return seen.firstMs ?? seen.answerMs.p50;
    return seen.tokensPerSecond === null ? null : -seen.tokensPerSecond;
  };
}

/** Whether every parameter of the run reaches the upstream. A default of the schema is no parameter of the run. */
function takesAll({ provider, operation }: RoutePlace, { input, native }: WishingRun): boolean {
  if (native && native.ignored.length > 0 && provider.speaks !== native.protocol) return false;
  const fields = (operation.input_schema.properties ?? {}) as Record<string, JsonSchema>;
  const isAsked = (name: string) => name in input && !isDeepStrictEqual(input[name], fields[name]?.default);
  const left = [...(provider.ignores?.({ operation, input }) ?? []), ...(provider.omits ?? [])];
  return !left.some(isAsked);
}

/** The parts of a price, as `max_price` names them. */
const priceParts = {
  prompt: { kinds: ["input_token", "token"], quantity: 1_000_000 },
  completion: { kinds: ["output_token", "token"], quantity: 1_000_000 },
  request: { kinds: ["operation"], quantity: 1 },
  image: { kinds: ["image"], quantity: 1 },
  character: { kinds: ["character"], quantity: 1 },
  second: { kinds: ["second"], quantity: 1 },
} as const;
type PricePart = keyof typeof priceParts;

/** What `sort` compares: the price of a million tokens in and out, or of one unit. */
function comparedParts({ api_type: kind, billing_unit: unit }: CatalogOperation): readonly PricePart[] {
  if (unit === "token") return kind === "chat-completions" ? ["prompt", "completion"] : ["prompt"];
  if (unit === "operation") return ["request"];
  return [unit === "generation" ? "image" : unit, "request"];
}

/** The most that the account pays at a place for these parts; null: it has no price. */
function chargeAt(
  { prices }: Pick<RunsContext, "prices">,
  { provider, model, operation, region }: RoutePlace,
  parts: readonly PricePart[],
  { accountId, input }: WishingRun,
): bigint | null {
  const facts = priceFacts(input, null);
  const places = [{ provider: provider.id, region, sandbox: provider.sandbox }];
  const asked = {
    accountId,
    model: model.id,
    apiType: operation.api_type,
    admittedAtMs: clock.now(),
    places,
  };
  const lines = parts.map((part) => ({ ...priceParts[part], facts, isExtra: true }));
  return maxCost(prices.book, asked, lines).charge;
}

/** No provider that the caller may use fits a wish. */
export function noneFits(modelId: string, wish: keyof ProviderWishes): ApiError {
  const param = `${wishField}.${wish}`;
  const why = wish === "max_price" ? "; one without a price does not fit" : "";
  return new ApiError(
    "provider_not_available",
    `No provider that runs ${modelId} fits ${param}${why}. Change the wish, or leave it out.`,
    { param },
  );
}
