import { type Static, Type } from "typebox";
import { ApiType } from "../catalog.ts";
import { regionNames } from "../catalog-constants.ts";
import { closed, ListOf, NoQuery, Nullable, PageQuery, Timestamp } from "../list.ts";
import {
  Currency,
  OperatorRunCost,
  PositiveAmount,
  PriceCondition,
  priceFields,
  priceKinds,
  priceLimits,
  priceUnits,
} from "../money/cost.ts";
import type { Routes } from "../routes/route.ts";
import { codesOf } from "../sentences.ts";
import { providerFields } from "./constants.ts";

export const PriceComponent = Type.Object(
  {
    kind: Type.Enum(priceKinds),
    unit: Type.Optional(Type.Enum(priceUnits, { description: "billing unit of the kind" })),
    per: Type.Integer({
      minimum: 1,
      maximum: priceLimits.per,
      description: "number of units that cost `rate`; 1000000: a million",
    }),
    rate: PositiveAmount,
    when: Type.Optional(PriceCondition),
  },
  closed,
);
export type PriceComponent = Static<typeof PriceComponent>;

/**
 * Where a price applies. The most specific price wins: provider and region, then provider, then region, then
 * neither.
 */
const scope = {
  model: Type.String(priceFields.model),
  api_type: ApiType,
  provider: Type.Optional(
    Nullable(
      Type.String({ ...providerFields.name, description: "provider of the price; null: any provider" }),
    ),
  ),
  region: Type.Optional(Nullable(Type.Enum(regionNames))),
};

export const PriceComponents = Type.Array(PriceComponent, {
  maxItems: priceLimits.components,
  description:
    "components of the price. Empty: the operation has no price from then on. Null: removes this price, so that the next less specific one applies",
});

export const PriceCreate = Type.Object(
  {
    ...scope,
    account_id: Type.Optional(
      Nullable(
        Type.String({
          description: "account that pays this price instead of the cost; null: this is the cost price",
        }),
      ),
    ),
    components: Nullable(PriceComponents),
    currency: Type.Optional(Currency),
    effective_at: Type.Optional(
      Type.String({
        format: "date-time",
        description: "time from which the price applies; now by default, never in the past",
      }),
    ),
  },
  closed,
);
export type PriceCreate = Static<typeof PriceCreate>;

export const Price = Type.Object({
  id: Type.String({ description: "`price_…`" }),
  object: Type.Literal("price"),
  model: Type.String(),
  api_type: ApiType,
  provider: Nullable(Type.String()),
  region: Nullable(Type.Enum(regionNames)),
  account_id: Nullable(Type.String()),
  components: Type.Array(Type.Interface([PriceComponent], { unit: Type.Enum(priceUnits) })),
  currency: Currency,
  managed_by: Type.Enum(["console", "file"] as const),
  status: Type.Enum(["scheduled", "in_force", "replaced", "overridden_by_file"] as const),
  effective_at: Timestamp,
  ends_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type Price = Static<typeof Price>;

export const PriceQuery = Type.Interface(
  [PageQuery],
  {
    model: Type.Optional(Type.String()),
    api_type: Type.Optional(ApiType),
    provider: Type.Optional(Type.String()),
    account_id: Type.Optional(
      Type.String({ description: "account of the prices; `none`: only cost prices" }),
    ),
    current: Type.Optional(Type.Boolean({ description: "true: only current and scheduled prices" })),
  },
  closed,
);
export type PriceQuery = Static<typeof PriceQuery>;

export const PriceList = Type.Interface([ListOf(Price)], {
  currency: Currency,
  file: Nullable(
    Type.Object(
      { path: Type.String(), problem: Nullable(Type.String()), problem_codes: codesOf("problem") },
      {
        description:
          "the prices file of this installation; `problem` is the reason why its last change is not in use",
      },
    ),
  ),
});
export type PriceList = Static<typeof PriceList>;

/** Sets all prices or none, unless the request skips invalid prices. */
export const PriceImport = Type.Object(
  {
    prices: Type.Array(PriceCreate, { maxItems: priceLimits.atOnce, description: "at least one price" }),
    skip_invalid: Type.Optional(
      Type.Boolean({
        description:
          "true: set valid prices and list the others in `refused`. Without it, one invalid price refuses all",
      }),
    ),
  },
  closed,
);
export type PriceImport = Static<typeof PriceImport>;

const RefusedPrice = Type.Object({
  row: Type.Integer({ description: "position in `prices`, counted from 0" }),
  model: Nullable(Type.String({ description: "model of the row; null: the row has none" })),
  message: Type.String(),
});
export type RefusedPrice = Static<typeof RefusedPrice>;

export const PriceImported = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(Price),
  refused: Type.Array(RefusedPrice, {
    description: "with `skip_invalid`, the prices that were not set, each with the reason",
  }),
  unknown_models: Type.Array(Type.String(), {
    description: "models of `data` that this installation does not have now; their prices wait for them",
  }),
});
export type PriceImported = Static<typeof PriceImported>;

/** Percentage added to each rate: `20`, `-5`. */
export const MarkupCreate = Type.Object(
  {
    account_id: Type.Optional(
      Nullable(
        Type.String({ description: "account of the markup; null: every account without its own markup" }),
      ),
    ),
    percent: Type.String({
      ...priceFields.percent,
      examples: ["20"],
      description:
        "percentage added to the cost, such as `20`. A negative one, such as `-5`, is a discount; at least -100",
    }),
    effective_at: Type.Optional(
      Type.String({
        format: "date-time",
        description: "time from which the price applies; now by default, never in the past",
      }),
    ),
  },
  closed,
);
export type MarkupCreate = Static<typeof MarkupCreate>;

export const Markup = Type.Object({
  id: Type.String({ description: "`mkp_…`" }),
  object: Type.Literal("markup"),
  account_id: Nullable(Type.String()),
  percent: Type.String(),
  status: Type.Enum(["scheduled", "in_force", "replaced"] as const, {
    description: "an account's own markup replaces the one for every account",
  }),
  effective_at: Timestamp,
  ends_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type Markup = Static<typeof Markup>;

export const MarkupList = Type.Object({ object: Type.Literal("list"), data: Type.Array(Markup) });
export type MarkupList = Static<typeof MarkupList>;

export const MarkupQuery = Type.Object({ account_id: Type.Optional(Type.String()) }, closed);

export const operatorPriceRoutes = {
  "GET /operator/prices": {
    summary: "List the prices, newest first",
    operator: true,
    extension: true,
    fromBrowser: true,
    query: PriceQuery,
    answers: { 200: PriceList },
  },
  "POST /operator/prices": {
    summary: "Set a price, which replaces the previous one",
    operator: true,
    extension: true,
    idempotent: true,
    byClick: true,
    body: PriceCreate,
    answers: { 201: Price },
  },
  "POST /operator/prices/import": {
    summary: "Set many prices in one change",
    operator: true,
    extension: true,
    idempotent: true,
    byClick: true,
    body: PriceImport,
    answers: { 201: PriceImported },
  },
  "GET /operator/markups": {
    summary: "List markups: what accounts pay above or below the cost",
    operator: true,
    extension: true,
    query: MarkupQuery,
    answers: { 200: MarkupList },
  },
  "POST /operator/markups": {
    summary: "Set the markup of an account",
    operator: true,
    extension: true,
    idempotent: true,
    byClick: true,
    body: MarkupCreate,
    answers: { 201: Markup },
  },
  "GET /operator/runs/{id}/cost": {
    summary: "Read what a run cost and what the account pays",
    operator: true,
    extension: true,
    query: NoQuery,
    answers: { 200: OperatorRunCost },
  },
} as const satisfies Routes;
