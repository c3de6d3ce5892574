import type { CatalogOperation } from "#contract/catalog.ts";
import { countCharacters } from "#contract/characters.ts";
import type { Words } from "../../messages/words.ts";
import { usageLabel } from "../usage-label.ts";
import { isObject, type JsonObject, numberOf } from "./json.ts";
import { textOfMessage } from "./messages.ts";

/** The part of an operation that determines how its runs are billed. */
export type BilledOperation = Pick<CatalogOperation, "api_type" | "billing_unit" | "limits" | "input_schema">;

/** Picks the part of an operation that determines how its runs are billed. */
export function billedOf({
  api_type,
  billing_unit,
  limits,
  input_schema,
}: CatalogOperation): BilledOperation {
  const { properties } = input_schema;
  const duration = isObject(properties) ? properties.duration : undefined;
  return {
    api_type,
    billing_unit,
    limits,
    input_schema: duration === undefined ? {} : { properties: { duration } },
  };
}

/** The billed quantity of a run, as far as the request determines it. */
export function estimateOf(t: Words<"amounts">, body: JsonObject, operation: BilledOperation): string {
  switch (operation.billing_unit) {
    case "character": {
      const text = typeof body.input === "string" ? body.input : "";
      return usageLabel(t, { quantity: countCharacters(text), unit: "character" });
    }
    case "generation":
      return usageLabel(t, { quantity: numberOf(body.n) ?? 1, unit: "generation" });
    case "operation":
      return usageLabel(t, { quantity: 1, unit: "operation" });
    case "second":
      return secondsOf(t, body, operation);
    case "token": {
      const maxOutput = numberOf(body.max_tokens) ?? numberOf(operation.limits.maxOutputTokens);
      const count = approximateTokens(body);
      return maxOutput === null ? t("tokensIn", { count }) : t("tokensInOut", { count, most: maxOutput });
    }
  }
}

function secondsOf(t: Words<"amounts">, body: JsonObject, operation: BilledOperation): string {
  const seconds = secondsAtMost(body, operation);
  if (!seconds) return t(operation.api_type === "audio-transcription" ? "byAudioLength" : "byVideoLength");
  const amount = usageLabel(t, { quantity: seconds.quantity, unit: "second" });
  return seconds.isMaximum ? t("upTo", { amount }) : amount;
}

/** The requested seconds, or the model's maximum. Null if only the media determine the length. */
export function secondsAtMost(
  body: JsonObject,
  operation: BilledOperation,
): { quantity: number; isMaximum: boolean } | null {
  const asked = numberOf(body.duration);
  if (asked !== null && asked > 0) return { quantity: asked, isMaximum: false };
  const most = numberOf(operation.limits.maxDurationSeconds);
  if (asked === -1 && most !== null) return { quantity: most, isMaximum: true };
  const properties = operation.input_schema.properties;
  const schema = isObject(properties) ? properties.duration : undefined;
  const byDefault = isObject(schema) ? numberOf(schema.default) : null;
  return byDefault === null ? null : { quantity: byDefault, isMaximum: false };
}

/**
 * Four characters per token is the usual rule of thumb for English. The input of an embedding may already be
 * tokens.
 */
export function approximateTokens({ messages, input }: JsonObject): number {
  const texts = Array.isArray(messages)
    ? messages.map((message) => (isObject(message) ? textOfMessage(message) : ""))
    : [input].flat(2);
  const tokens = texts.reduce(
    (sum: number, text) =>
      sum + (typeof text === "string" ? text.length / 4 : typeof text === "number" ? 1 : 0),
    0,
  );
  return Math.max(1, Math.ceil(tokens));
}
