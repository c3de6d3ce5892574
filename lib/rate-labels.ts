import type { ApiType } from "#contract/catalog-constants.ts";
import type { PriceKind } from "#contract/money/constants.ts";
import type { PriceCondition } from "#contract/money/cost.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import type { Words } from "../messages/words.ts";
import { formatNumber } from "./format.ts";
import { grouped } from "./money.ts";
import { listText } from "./words/list-text.ts";

type T = Words<"amounts">;

/** What is counted, such as `input tokens`. With a count, languages add their measure word to it. */
export function countedKind(t: T, kind: PriceKind, count = 0): string {
  return t(kind, { count });
}

/** The usual units of an operation, which are the first rows of a new price. */
export const defaultKinds: Readonly<Record<ApiType, readonly PriceKind[]>> = {
  "chat-completions": ["input_token", "cached_input_token", "output_token"],
  "text-to-speech": ["character"],
  "audio-transcription": ["second"],
  "voice-management": ["operation"],
  "image-generation": ["image"],
  "image-editing": ["image"],
  "video-generation": ["second"],
  embeddings: ["input_token"],
  rerank: ["operation"],
};

/** `per 1,000,000 input tokens`, `per image`. */
export function perLabel(t: T, { kind, per }: Pick<PriceComponent, "kind" | "per">): string {
  return t("per", { per, kind: countedKind(t, kind, per) });
}

/** `1.25 USD per 1,000,000 input tokens`. */
export function rateLabel(t: T, component: PriceComponent, currency: string): string {
  return t("rate", { rate: grouped(component.rate), currency, per: perLabel(t, component) });
}

/** `720P, with sound, context above 200,000 tokens`. Empty without a condition. */
export function conditionLabel(t: T, when: PriceCondition | null | undefined): string {
  if (!when) return "";
  const { resolution, size, quality, audio, service_tier: tier } = when;
  const { context_above: context, duration_above: duration } = when;
  return listText(
    t.language,
    [
      resolution,
      size,
      quality && t("qualityIs", { quality }),
      audio === undefined ? undefined : audio ? t("withSound") : t("withoutSound"),
      tier && t("tierIs", { tier }),
      context === undefined ? undefined : t("contextAbove", { count: context }),
      duration === undefined ? undefined : t("longerThan", { count: duration }),
    ],
    "plain",
  );
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
export function shortRate(t: T, { kind, rate, per }: PriceComponent): string {
  const short = `${kind}_short`;
  return t("shortRate", {
    rate: grouped(rate),
    per: shortCount(per),
    kind: t.has(short) ? t.text(short) : countedKind(t, kind, 1),
  });
}

/** `1M `, `1k `; empty for one. */
export function shortCount(per: number): string {
  return per === 1_000_000 ? "1M " : per === 1_000 ? "1k " : per === 1 ? "" : `${formatNumber(per)} `;
}
