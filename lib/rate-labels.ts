import { unitOfKind } from "#contract/money/constants.ts";
import type { PriceCondition } from "#contract/money/cost.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import { formatNumber } from "./format.ts";
import { kindLabels } from "./kind-labels.ts";

/** `per 1,000,000 input tokens`, `per image`. */
export function perLabel({ kind, per }: Pick<PriceComponent, "kind" | "per">): string {
  return per === 1 ? `per ${kindLabels[kind].one}` : `per ${formatNumber(per)} ${kindLabels[kind].many}`;
}

/** `720P, with sound, context above 200,000 tokens`. Empty without a condition. */
export function conditionLabel(when: PriceCondition | null | undefined): string {
  if (!when) return "";
  const { resolution, size, quality, audio, service_tier, context_above, duration_above } = when;
  return [
    resolution,
    size,
    quality && `quality ${quality}`,
    audio === undefined ? undefined : audio ? "with sound" : "without sound",
    service_tier && `tier ${service_tier}`,
    context_above === undefined ? undefined : `context above ${formatNumber(context_above)} tokens`,
    duration_above === undefined ? undefined : `above ${formatNumber(duration_above)} seconds`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** A list shows one rate per kind: the one without conditions. */
export function mainComponents(components: readonly PriceComponent[]): PriceComponent[] {
  const kinds = [...new Set(components.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const ofKind = components.filter((component) => component.kind === kind);
    const [main] = ofKind.filter(({ when }) => !when).concat(ofKind);
    return main ? [main] : [];
  });
}

/** `1.25 / 1M input`, short enough for a table cell. */
export function shortRate({ kind, rate, per }: PriceComponent): string {
  const count = per === 1_000_000 ? "1M " : per === 1_000 ? "1k " : per === 1 ? "" : `${formatNumber(per)} `;
  const what = unitOfKind[kind] === "token" ? shortTokens[kind] : kindLabels[kind].one;
  return `${rate} / ${count}${what}`;
}

const shortTokens: Partial<Record<PriceComponent["kind"], string>> = {
  input_token: "input",
  cached_input_token: "cached input",
  cache_write_token: "cache write",
  cache_write_1h_token: "1 h cache write",
  audio_input_token: "audio input",
  output_token: "output",
  reasoning_token: "reasoning",
  audio_output_token: "audio output",
  token: "tokens",
};
