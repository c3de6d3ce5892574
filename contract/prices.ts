import { type Static, Type } from "typebox";
import { ApiType } from "./catalog.ts";
import { regionNames } from "./catalog-constants.ts";
import { closed, NoQuery, Nullable } from "./list.ts";
import { Currency } from "./money/cost.ts";
import { PriceComponent } from "./operator/prices.ts";
import type { Routes } from "./routes/route.ts";

const OwnPriceQuery = Type.Object({ model: Type.String(), api_type: ApiType }, closed);

/** A place where an operation can run, and the price that the account pays there. */
export const PricedPlace = Type.Object({
  region: Type.Enum(regionNames),
  sandbox: Type.Boolean({ description: "true for the sandbox: no model runs, and runs cost nothing" }),
  components: Nullable(
    Type.Array(PriceComponent, { description: "price; null: the operation has no price there" }),
  ),
});
export type PricedPlace = Static<typeof PricedPlace>;

/** The account's current prices of an operation. The rates include markups. */
export const OwnPrice = Type.Object({
  object: Type.Literal("operation_price"),
  model: Type.String(),
  api_type: ApiType,
  currency: Currency,
  places: Type.Array(PricedPlace, {
    description: "one entry for every route in every region that the account may use",
  }),
});
export type OwnPrice = Static<typeof OwnPrice>;

export const OwnPriceList = Type.Object({ object: Type.Literal("list"), data: Type.Array(OwnPrice) });
export type OwnPriceList = Static<typeof OwnPriceList>;

export const priceRoutes = {
  "GET /prices": {
    summary: "Read the account's prices for an operation",
    permission: "operations:run",
    extension: true,
    fromBrowser: true,
    query: OwnPriceQuery,
    answers: { 200: OwnPrice },
  },
  "GET /prices/models": {
    summary: "Read the account's prices for all operations of the catalog",
    permission: "operations:run",
    extension: true,
    query: NoQuery,
    answers: { 200: OwnPriceList },
  },
} as const satisfies Routes;
