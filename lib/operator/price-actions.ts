"use server";

import type {
  Markup,
  MarkupCreate,
  Price,
  PriceCreate,
  PriceImport,
  PriceImported,
} from "#contract/operator/prices.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { requestRoute } from "@/lib/server/gateway/request";

/** Sets a new price from its start time on; past prices stay unchanged. */
export async function setPrice(body: PriceCreate): ActionResult<Price> {
  return { answer: requestRoute("POST /operator/prices", { body }) };
}

/** Sets all prices or none. */
export async function setPrices(body: PriceImport): ActionResult<PriceImported> {
  return { answer: requestRoute("POST /operator/prices/import", { body }) };
}

export async function setMarkup(body: MarkupCreate): ActionResult<Markup> {
  return { answer: requestRoute("POST /operator/markups", { body }) };
}
