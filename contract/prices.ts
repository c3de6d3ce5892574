import { type Static, Type } from "typebox";
import { ApiType } from "./catalog.ts";
import { regionNames } from "./catalog-constants.ts";
import { closed } from "./list.ts";
import { Currency } from "./money/cost.ts";
import { Nullable } from "./nullable.ts";
import { PriceComponent } from "./operator/prices.ts";

export const OwnPriceQuery = Type.Object({ model: Type.String(), api_type: ApiType }, closed);
export type OwnPriceQuery = Static<typeof OwnPriceQuery>;

/** Where an operation may run, and what the account pays there. */
export const PricedPlace = Type.Object({
  region: Type.Enum(regionNames),
  sandbox: Type.Boolean({ description: "no model runs there, and it costs nothing" }),
  components: Nullable(Type.Array(PriceComponent, { description: "null: not priced" })),
});
export type PricedPlace = Static<typeof PricedPlace>;

/** What an account pays for an operation now: markups are in the rates. */
export const OwnPrice = Type.Object({
  object: Type.Literal("operation_price"),
  model: Type.String(),
  api_type: ApiType,
  currency: Currency,
  places: Type.Array(PricedPlace, { description: "every route of every region that the account may use" }),
});
export type OwnPrice = Static<typeof OwnPrice>;
