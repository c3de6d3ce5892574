import type { ApiType } from "#contract/catalog-constants.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import type { PriceKind } from "#contract/money/constants.ts";
import type { PriceCondition } from "#contract/money/cost.ts";
import type { PriceComponent } from "#contract/operator/prices.ts";
import type { Words } from "../../../messages/words.ts";
import { parseWithExactNumbers, plainDecimal } from "../../written-amount.ts";
import { componentOf, type ListedPrice, type NotUnderstood, shown } from "./price-list.ts";

/** LiteLLM's list has 2 MB. */
export const maxListBytes = 20_000_000;

export interface PriceListRead {
  format: "LiteLLM" | "OpenRouter";
  prices: ListedPrice[];
}

/** Reads LiteLLM's or OpenRouter's list. Returns a text with the reason if the file is neither. */
export function readPriceList(t: Words<"prices">, text: string): PriceListRead | string {
  let list: unknown;
  try {
    list = parseWithExactNumbers(text);
  } catch (error) {
    return t("notJson", { reason: error instanceof Error ? error.message : String(error) });
  }
  if (isRecord(list) && Array.isArray(list.data))
    return read("OpenRouter", readOpenRouter(t, list.data)) ?? t("noPricesFound");
  return (isRecord(list) && read("LiteLLM", readLiteLlm(t, list))) || t("noPricesFound");
}

function read(format: PriceListRead["format"], all: ListedPrice[]): PriceListRead | null {
  const prices = all.filter(
    ({ components, notUnderstood }) => components.length > 0 || notUnderstood.length > 0,
  );
  return prices.length > 0 ? { format, prices } : null;
}

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

/** The response of OpenRouter's `GET /api/v1/models`, with numbers as texts. */
function readOpenRouter(t: Words<"prices">, list: readonly unknown[]): ListedPrice[] {
  return list.flatMap((entry) => {
    if (!isRecord(entry) || typeof entry.id !== "string" || !isRecord(entry.pricing)) return [];
    return [
      {
        name: entry.id,
        provider: "openrouter",
        apiType: "chat-completions",
        ...readPricing(t, entry.pricing),
      },
    ];
  });
}

function readPricing(
  t: Words<"prices">,
  pricing: Record<string, unknown>,
): Pick<ListedPrice, "components" | "notUnderstood"> {
  const components: PriceComponent[] = [];
  const notUnderstood: NotUnderstood[] = [];
  for (const [field, value] of Object.entries(pricing)) {
    const number = typeof value === "string" ? plainDecimal(value) : null;
    const kind = kinds.get(field);
    const isBasic = field === "prompt" || field === "completion";
    // For other fields, "0" means "not charged separately": reasoning tokens are part of the completion.
    if (number === "0" && !isBasic) continue;
    const refuse = (reason: string) => notUnderstood.push({ field, value: shown(value), reason });
    if (number === null) refuse(t("notANumber"));
    else if (number.startsWith("-")) refuse(t("varies"));
    else if (!kind) refuse(t("notCounted"));
    else {
      const component = componentOf(kind, number);
      if (component) components.push(component);
      else refuse(t("noAmount"));
    }
  }
  return { components, notUnderstood };
}

const apiTypeOfMode = new Map<string, ApiType>([
  ["chat", "chat-completions"],
  ["completion", "chat-completions"],
  ["responses", "chat-completions"],
  ["embedding", "embeddings"],
  ["rerank", "rerank"],
  ["image_generation", "image-generation"],
  ["image_edit", "image-editing"],
  ["video_generation", "video-generation"],
  ["audio_speech", "text-to-speech"],
  ["audio_transcription", "audio-transcription"],
]);

/** Fields that mean the same for every kind of model. */
const tokenKinds = new Map<string, PriceKind>([
  ["input_cost_per_token", "input_token"],
  ["output_cost_per_token", "output_token"],
  ["cache_read_input_token_cost", "cached_input_token"],
  ["cache_creation_input_token_cost", "cache_write_token"],
  ["cache_creation_input_token_cost_above_1hr", "cache_write_1h_token"],
  ["output_cost_per_reasoning_token", "reasoning_token"],
]);
/** Fields whose meaning depends on the operation. */
const kindOfOperation = new Map<string, PriceKind>([
  ["chat-completions input_cost_per_audio_token", "audio_input_token"],
  ["chat-completions output_cost_per_audio_token", "audio_output_token"],
  ["image-generation input_cost_per_image", "image"],
  ["image-generation output_cost_per_image", "image"],
  ["image-editing input_cost_per_image", "image"],
  ["image-editing output_cost_per_image", "image"],
  ["video-generation output_cost_per_second", "second"],
  ["video-generation output_cost_per_video_per_second", "second"],
  ["audio-transcription input_cost_per_second", "second"],
  ["audio-transcription input_cost_per_audio_per_second", "second"],
  ["text-to-speech input_cost_per_character", "character"],
  ["rerank input_cost_per_query", "operation"],
]);

const isPrice = /cost|pric/;
const batchTier = /_(batches|batch_requests)$/;
const serviceTier = /_(flex|priority|ultrafast)$/;
const contextAbove = /_above_(\d{1,5})k_tokens$/;
const videoResolution = /_(\d{3,4}p|4k)$/;
/** `hd/1024-x-1024/dall-e-3`: the list has one entry for each size and quality. */
const sizePrefix = /^(?:(standard|hd|low|medium|high)\/)?(\d{2,5})-x-(\d{2,5})\/(.+)$/;

/** LiteLLM's `model_prices_and_context_window.json`: an object of models, with numbers as texts. */
function readLiteLlm(t: Words<"prices">, list: Record<string, unknown>): ListedPrice[] {
  const prices = Object.entries(list).flatMap(([name, entry]) =>
    name !== "sample_spec" && isRecord(entry) ? [readEntry(t, name, entry)] : [],
  );
  return mergedBySize(t, prices);
}

interface Read extends ListedPrice {
  /** One of several entries of a model, each for one size. */
  isSize: boolean;
}

function readEntry(t: Words<"prices">, written: string, entry: Record<string, unknown>): Read {
  const [, quality, width, height, sized] = sizePrefix.exec(written) ?? [];
  const name = sized ?? written;
  const where: PriceCondition = {
    ...(width && { size: `${width}x${height}` }),
    ...(quality && { quality }),
  };
  const apiType = typeof entry.mode === "string" ? (apiTypeOfMode.get(entry.mode) ?? null) : null;
  const components: PriceComponent[] = [];
  const notUnderstood: NotUnderstood[] = [];
  const imageRates = [entry.input_cost_per_image, entry.output_cost_per_image];
  const hasBoth = imageRates.every((rate) => typeof rate === "string" && plainDecimal(rate) !== "0");
  const at = { t, apiType, hasBoth, components, notUnderstood };
  for (const [field, value] of Object.entries(entry)) {
    if (!isPrice.test(field)) continue;
    if (field === "tiered_pricing") readTiers(value, at);
    else if (field === "search_context_cost_per_query") readSearch(field, value, at);
    else readField(field, value, where, at);
  }
  const provider = typeof entry.litellm_provider === "string" ? entry.litellm_provider : null;
  return { name, provider, apiType, components, notUnderstood, isSize: sized !== undefined };
}

interface Into {
  t: Words<"prices">;
  apiType: ApiType | null;
  /**
   * The entry has separate rates for input and output images. If it has only one rate, either field may mean
   * output images.
   */
  hasBoth: boolean;
  components: PriceComponent[];
  notUnderstood: NotUnderstood[];
}

function readField(field: string, value: unknown, where: PriceCondition, into: Into): void {
  const { t, apiType, hasBoth, components, notUnderstood } = into;
  const number = typeof value === "string" ? plainDecimal(value) : null;
  // A field with a rate of zero can be ignored.
  const refuse = (reason: string) =>
    number === "0" ? undefined : notUnderstood.push({ field, value: shown(value), reason });
  if (number === null) return void refuse(t("notANumber"));
  if (batchTier.test(field)) return void refuse(t("batchRate"));
  const tier = serviceTier.exec(field);
  const untiered = field.replace(serviceTier, "");
  const above = contextAbove.exec(untiered);
  const resolution = videoResolution.exec(untiered);
  const base = untiered.replace(contextAbove, "").replace(videoResolution, "");
  const isGiven = hasBoth && base === "input_cost_per_image";
  const listed = tokenKinds.get(base) ?? kindOfOperation.get(`${apiType} ${base}`);
  const kind = listed === "image" && isGiven ? "input_image" : listed;
  if (!kind) return void refuse(t("notCounted"));
  // For some image models the list has both rates; one of them is 0.
  if (number === "0" && kind === "image") return;
  const component = componentOf(kind, number, {
    ...where,
    ...(tier && { service_tier: String(tier[1]) }),
    ...(above && { context_above: Number(above[1]) * 1000 }),
    ...(resolution && { resolution: String(resolution[1]).toUpperCase() }),
  });
  if (component) components.push(component);
  else refuse(t("noAmount"));
}

/** Rates by context length: `[{range: [0, 32000], input_cost_per_token: …}, …]`. */
function readTiers(tiers: unknown, into: Into): void {
  const refuse = () =>
    into.notUnderstood.push({
      field: "tiered_pricing",
      value: shown(tiers),
      reason: into.t("noRanges"),
    });
  if (!Array.isArray(tiers)) return void refuse();
  for (const entry of tiers) {
    const from = isRecord(entry) && Array.isArray(entry.range) ? plainDecimal(String(entry.range[0])) : null;
    if (from === null || !/^\d+$/.test(from)) return void refuse();
    for (const [field, value] of Object.entries(entry as Record<string, unknown>))
      if (field !== "range")
        readField(field, value, from === "0" ? {} : { context_above: Number(from) }, into);
  }
}

/** The price of a search, if it is the same for every context size. */
function readSearch(field: string, value: unknown, { t, components, notUnderstood }: Into): void {
  const rates = isRecord(value) ? Object.values(value) : [value];
  const [rate] = rates;
  const isOne = typeof rate === "string" && rates.every((other) => other === rate);
  const component = isOne ? componentOf("search", rate) : null;
  if (component) components.push(component);
  else
    notUnderstood.push({
      field,
      value: shown(value),
      reason: t("onePerSearch"),
    });
}

/** Merges the entries of one model and provider into one price. */
function mergedBySize(t: Words<"prices">, read: readonly Read[]): ListedPrice[] {
  const merged = new Map<string, Read>();
  for (const price of read) {
    const key = `${price.provider} ${price.name}`;
    const known = merged.get(key);
    if (known && (known.isSize || price.isSize)) {
      known.components.push(...price.components);
      known.notUnderstood.push(...price.notUnderstood);
    } else merged.set(key, { ...price });
  }
  return [...merged.values()].map(({ isSize: _, ...price }) => withoutRepeats(t, price));
}

/** A price has one rate per kind and condition. The first rate is used, and others are reported. */
function withoutRepeats(t: Words<"prices">, price: ListedPrice): ListedPrice {
  const { notUnderstood } = price;
  const byKey = new Map<string, PriceComponent>();
  for (const component of price.components) {
    const { kind, rate, when = {} } = component;
    const key = JSON.stringify([kind, Object.entries(when).toSorted()]);
    const known = byKey.get(key);
    if (!known) byKey.set(key, component);
    else if (known.rate !== rate)
      notUnderstood.push({
        field: kind,
        value: rate,
        reason: t("alsoHas", { rate: known.rate }),
      });
  }
  return { ...price, components: [...byKey.values()], notUnderstood };
}
