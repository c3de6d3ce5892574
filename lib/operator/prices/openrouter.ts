import { isRecord } from "#contract/input-schema/json-values.ts";
import type { PriceKind } from "#contract/money/constants.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { plainDecimal } from "./exact-number.ts";
import { componentOf, type ListedPrice, type NotUnderstood, noAmount, shown } from "./price-list.ts";

const kinds = new Map<string, PriceKind>([
  ["prompt", "input_token"],
  ["completion", "output_token"],
  ["input_cache_read", "cached_input_token"],
  ["input_cache_write", "cache_write_token"],
  ["audio", "audio_input_token"],
  ["internal_reasoning", "reasoning_token"],
  ["request", "operation"],
  ["web_search", "search"],
]);

/** The answer of OpenRouter's `GET /api/v1/models`, its numbers read as texts. */
export function readOpenRouter(list: readonly unknown[]): ListedPrice[] {
  return list.flatMap((entry) => {
    if (!isRecord(entry) || typeof entry.id !== "string" || !isRecord(entry.pricing)) return [];
    return [
      { name: entry.id, provider: "openrouter", apiType: "chat-completions", ...readPricing(entry.pricing) },
    ];
  });
}

function readPricing(pricing: Record<string, unknown>): Pick<ListedPrice, "components" | "notUnderstood"> {
  const components: PriceComponent[] = [];
  const notUnderstood: NotUnderstood[] = [];
  for (const [field, value] of Object.entries(pricing)) {
    const number = typeof value === "string" ? plainDecimal(value) : null;
    const kind = kinds.get(field);
    const isBasic = field === "prompt" || field === "completion";
    // "0" says of anything else that it is not charged apart: thoughts are part of the completion.
    if (number === "0" && !isBasic) continue;
    const refuse = (reason: string) => notUnderstood.push({ field, value: shown(value), reason });
    if (number === null) refuse("not a number");
    else if (number.startsWith("-")) refuse("it varies with the model that is chosen");
    else if (!kind) refuse("not counted by Gatehouse");
    else {
      const component = componentOf(kind, number);
      if (component) components.push(component);
      else refuse(noAmount);
    }
  }
  return { components, notUnderstood };
}
