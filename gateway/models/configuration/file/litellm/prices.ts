import { byName } from "#contract/by-name.ts";
import type { PriceKind } from "#contract/money/constants.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";

const million = 1_000_000;

/** The costs of LiteLLM that have a kind here, and for how many units their rate is written. */
const kinds = byName<[kind: PriceKind, per: number]>({
  input_cost_per_token: ["input_token", million],
  output_cost_per_token: ["output_token", million],
  cache_read_input_token_cost: ["cached_input_token", million],
  input_cost_per_token_cache_hit: ["cached_input_token", million],
  cache_creation_input_token_cost: ["cache_write_token", million],
  cache_creation_input_token_cost_above_1hr: ["cache_write_1h_token", million],
  input_cost_per_audio_token: ["audio_input_token", million],
  output_cost_per_audio_token: ["audio_output_token", million],
  output_cost_per_reasoning_token: ["reasoning_token", million],
  input_cost_per_character: ["character", million],
  input_cost_per_second: ["second", 1],
  output_cost_per_second: ["second", 1],
  output_cost_per_video_per_second: ["second", 1],
  input_cost_per_image: ["input_image", 1],
  output_cost_per_image: ["image", 1],
  input_cost_per_query: ["operation", 1],
});

/** The endings of a cost's name that say when it applies. */
const conditions: [RegExp, (found: string) => PriceComponent["when"]][] = [
  [/_above_(\d+)k_tokens$/, (found) => ({ context_above: Number(found) * 1_000 })],
  [/_(priority|flex)$/, (found) => ({ service_tier: found })],
  [/_(480p|720p|768p|1080p|2k|4k)$/, (found) => ({ resolution: found })],
];

/** Whether a field of LiteLLM is a cost. */
export function isCost(name: string): boolean {
  return /(^|_)cost(_|$)|^tiered_pricing$/.test(name);
}

/** The component for one cost of LiteLLM, which is in dollars per unit; null if there is no such kind. */
export function componentOf(name: string, cost: unknown): PriceComponent | null {
  let base = name;
  let when: PriceComponent["when"];
  for (const [ending, condition] of conditions) {
    const found = kinds[base] ? null : ending.exec(base);
    if (!found?.[1]) continue;
    when = { ...condition(found[1]), ...when };
    base = base.slice(0, found.index);
  }
  const [kind, per] = kinds[base] ?? [];
  const amount = typeof cost === "string" ? Number(cost) : cost;
  if (!kind || !per || typeof amount !== "number" || !(amount >= 0) || amount * per >= 1e12) return null;
  return { kind, per, rate: decimal(amount * per), ...(when && { when }) };
}

/** 12 significant digits, so that 2.5e-06 for a token is 2.5 for a million. */
function decimal(amount: number): string {
  return Number(amount.toPrecision(12))
    .toFixed(12)
    .replace(/\.?0+$/, "");
}
