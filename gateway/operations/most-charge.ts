import type { PriceKind } from "#contract/money/constants.ts";
import { decimalText } from "#contract/money/decimal.ts";
import type { Most } from "#gateway/budgets/reserve.ts";
import type { Context } from "#gateway/context.ts";
import { type MostLine, mostCost, type PossiblePlace } from "#gateway/prices/most-cost.ts";
import type { Admitted } from "./admit.ts";
import { type Demand, demandOf } from "./demand.ts";

const inputKinds: readonly PriceKind[] = ["input_token", "cached_input_token", "cache_write_token", "token"];
const outputKinds: readonly PriceKind[] = ["output_token", "reasoning_token", "token"];

/**
 * The most that the account can pay for a run, whoever runs it. `quantity` is what only its media say, such as the seconds
 * of a transcription.
 */
export function mostCharge(
  { prices }: Context,
  admitted: Admitted,
  admittedAtMs: number,
  quantity: number | null = null,
): Most {
  const { actor, compiled, region, otherRegions, routes } = admitted;
  const { model, operation } = compiled;
  const places = [region, ...otherRegions].flatMap((place): PossiblePlace[] =>
    routes
      .route(model, operation, place)
      .map(({ id, sandbox }) => ({ provider: id, region: place, sandbox })),
  );
  if (places.length > 0 && places.every(({ sandbox }) => sandbox)) return { amount: "0" };
  const lines = mostLines(admitted, quantity);
  if (lines === null) return { amount: null, reason: "no maximum" };
  const facts = {
    accountId: actor.accountId,
    model: model.id,
    apiType: operation.api_type,
    admittedAtMs,
    places,
  };
  const { charge } = mostCost(prices.book, facts, lines);
  return charge === null ? { amount: null, reason: "not priced" } : { amount: decimalText(charge) };
}

/** What a run may use at most, by kind; null where neither it nor its model says. */
function mostLines({ compiled, body }: Admitted, measured: number | null): MostLine[] | null {
  const { operation } = compiled;
  if (operation.billing_unit === "token")
    return tokenLines(operation.limits, body, compiled.mediaOf(body).length > 0);
  const demand: Demand | null = demandOf(operation, body);
  const quantity = measured ?? (demand && "quantity" in demand ? demand.quantity : null);
  if (quantity === null) return null;
  const kinds = [operation.billing_unit === "generation" ? "image" : operation.billing_unit] as const;
  return [{ kinds, quantity, facts: factsOf(body, operation.billing_unit === "second" ? quantity : null) }];
}

function tokenLines(
  limits: Readonly<Record<string, unknown>>,
  body: Record<string, unknown>,
  hasMedia: boolean,
): MostLine[] | null {
  const context = numberOf(limits.contextWindowTokens);
  const limit = numberOf(limits.maxInputTokens) ?? context;
  // A token is a byte at least. What media count is up to the model.
  const bytes = hasMedia ? null : Buffer.byteLength(JSON.stringify(body));
  const input = bytes === null ? limit : Math.min(bytes, limit ?? bytes);
  const isAnswered = body.messages !== undefined;
  const output = isAnswered
    ? (numberOf(body.max_completion_tokens) ??
      numberOf(body.max_tokens) ??
      numberOf(limits.maxOutputTokens) ??
      context)
    : 0;
  if (input === null || output === null) return null;
  const facts = { ...factsOf(body, null), contextTokens: input };
  const answers = numberOf(body.n) ?? 1;
  return [
    { kinds: inputKinds, quantity: input, facts },
    ...(isAnswered ? [{ kinds: outputKinds, quantity: output * answers, facts }] : []),
  ];
}

/** What the body says of what sets a price. What it leaves out may be anything. */
function factsOf(body: Record<string, unknown>, durationSeconds: number | null): MostLine["facts"] {
  return {
    resolution: wordOf(body.resolution),
    size: sizeOf(body),
    quality: wordOf(body.quality),
    durationSeconds,
  };
}

/** In pixels; a shape such as `16:9` may be of any size. */
function sizeOf({ size, width, height }: Record<string, unknown>): string | undefined {
  if (typeof width === "number" && typeof height === "number") return `${width}x${height}`;
  const sides = typeof size === "string" ? /^(\d{2,5})[x*](\d{2,5})$/.exec(size) : null;
  return sides ? `${sides[1]}x${sides[2]}` : undefined;
}

function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "auto" ? value : undefined;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && value > 0 ? value : null;
}
