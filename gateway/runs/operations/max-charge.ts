import { decimalText } from "#contract/money/decimal.ts";
import { answeredKinds, maxTokens, readKinds } from "#contract/money/max-tokens.ts";
import type { Most } from "#gateway/billing/budgets/reserve.ts";
import { type MaxLine, maxCost, type PossiblePlace } from "#gateway/billing/prices/max-cost.ts";
import type { Context } from "#gateway/context.ts";
import type { Admitted } from "./admit.ts";
import { type Demand, demandOf } from "./demand.ts";

/**
 * The most that the account can pay for a run, whichever provider runs it. `quantity`: the part that depends
 * on its media, such as the seconds of a transcription.
 */
export function maxCharge(
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
  return [{ kinds, quantity, facts: factsOf(body, operation.billing_unit === "second" ? quantity : null) }];
}

function tokenLines(
  limits: Readonly<Record<string, unknown>>,
  body: Record<string, unknown>,
  hasMedia: boolean,
): MaxLine[] | null {
  const bytes = hasMedia ? null : Buffer.byteLength(JSON.stringify(body));
  const { read, answered } = maxTokens(limits, body, bytes);
  if (read === null || answered === null) return null;
  const facts = { ...factsOf(body, null), contextTokens: read };
  return [
    { kinds: readKinds, quantity: read, facts },
    ...(answered > 0 ? [{ kinds: answeredKinds, quantity: answered, facts }] : []),
  ];
}

/** The fields of the body that determine a price. A missing field can have any value. */
function factsOf(body: Record<string, unknown>, durationSeconds: number | null): MaxLine["facts"] {
  return {
    resolution: wordOf(body.resolution),
    size: sizeOf(body),
    quality: wordOf(body.quality),
    durationSeconds,
  };
}

/** In pixels; an aspect ratio such as `16:9` may have any size. */
function sizeOf({ size, width, height }: Record<string, unknown>): string | undefined {
  if (typeof width === "number" && typeof height === "number") return `${width}x${height}`;
  const sides = typeof size === "string" ? /^(\d{2,5})[x*](\d{2,5})$/.exec(size) : null;
  return sides ? `${sides[1]}x${sides[2]}` : undefined;
}

function wordOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "auto" ? value : undefined;
}
