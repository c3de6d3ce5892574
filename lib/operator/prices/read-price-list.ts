import { isRecord } from "#contract/input-schema/json-values.ts";
import { parseWithExactNumbers } from "./exact-number.ts";
import { readLiteLlm } from "./litellm.ts";
import { readOpenRouter } from "./openrouter.ts";
import type { ListedPrice } from "./price-list.ts";

/** LiteLLM's list has 2 MB. */
export const largestListBytes = 20_000_000;

export interface PriceListRead {
  format: "LiteLLM" | "OpenRouter";
  prices: ListedPrice[];
}

/** A list of LiteLLM or OpenRouter; a text says why it is neither. */
export function readPriceList(text: string): PriceListRead | string {
  let list: unknown;
  try {
    list = parseWithExactNumbers(text);
  } catch (error) {
    return `It is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (isRecord(list) && Array.isArray(list.data)) return read("OpenRouter", readOpenRouter(list.data));
  if (isRecord(list)) return read("LiteLLM", readLiteLlm(list));
  return unknownFormat;
}

const unknownFormat =
  "No prices were found. Choose LiteLLM's model_prices_and_context_window.json, or what OpenRouter answers at /api/v1/models.";

function read(format: PriceListRead["format"], all: ListedPrice[]): PriceListRead | string {
  const prices = all.filter(
    ({ components, notUnderstood }) => components.length > 0 || notUnderstood.length > 0,
  );
  return prices.length > 0 ? { format, prices } : unknownFormat;
}
