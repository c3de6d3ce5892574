import { type Static, Type } from "typebox";
import { ApiType } from "../catalog.ts";
import { regionNames } from "../catalog-constants.ts";
import { closed, ListOf, PageQuery } from "../list.ts";
import {
  Currency,
  PositiveAmount,
  PriceCondition,
  priceKinds,
  priceLimits,
  priceUnits,
} from "../money/cost.ts";
import { Nullable, Timestamp } from "../nullable.ts";
import { providerNameForm } from "./constants.ts";

export const PriceComponent = Type.Object(
  {
    kind: Type.Enum(priceKinds),
    unit: Type.Optional(Type.Enum(priceUnits, { description: "that of the kind" })),
    per: Type.Integer({ minimum: 1, maximum: priceLimits.per, description: "1000000: a million of them" }),
    rate: PositiveAmount,
    when: Type.Optional(PriceCondition),
  },
  closed,
);
export type PriceComponent = Static<typeof PriceComponent>;

/**
 * The place of a price. The most specific price applies: provider and region, then provider, then region,
 * then neither.
 */
const scope = {
  model: Type.String({ minLength: 1, maxLength: 200 }),
  api_type: ApiType,
  provider: Type.Optional(
    Nullable(Type.String({ pattern: providerNameForm, description: "null: whoever runs it" })),
  ),
  region: Type.Optional(Nullable(Type.Enum(regionNames))),
};

export const PriceComponents = Type.Array(PriceComponent, {
  maxItems: priceLimits.components,
  description:
    "none: from then on it has no price; null: the price is removed, and the next less specific one holds",
});

export const PriceCreate = Type.Object(
  {
    ...scope,
    account_id: Type.Optional(
      Nullable(
        Type.String({
          description: "a price that this account pays, instead of what the run costs; null: a cost price",
        }),
      ),
    ),
    components: Nullable(PriceComponents),
    currency: Type.Optional(Currency),
    effective_at: Type.Optional(
      Type.String({ format: "date-time", description: "now, if it is left out; not in the past" }),
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
    account_id: Type.Optional(Type.String({ description: "`none`: only cost prices" })),
    current: Type.Optional(Type.Boolean({ description: "true: only those in force and scheduled ones" })),
  },
  closed,
);
export type PriceQuery = Static<typeof PriceQuery>;
export const PriceList = Type.Interface([ListOf(Price)], {
  currency: Currency,
  file: Nullable(
    Type.Object(
      { path: Type.String(), problem: Nullable(Type.String()) },
      {
        description: "the prices file of this installation; `problem` says why its last change is not in use",
      },
    ),
  ),
});
export type PriceList = Static<typeof PriceList>;

/** Sets all prices or none, unless invalid ones are skipped. */
export const PriceImport = Type.Object(
  {
    prices: Type.Array(PriceCreate, { maxItems: priceLimits.atOnce, description: "at least one" }),
    skip_invalid: Type.Optional(
      Type.Boolean({
        description:
          "set what is valid and list the rest in `refused`; without it one invalid row refuses all",
      }),
    ),
  },
  closed,
);
export type PriceImport = Static<typeof PriceImport>;

const RefusedPrice = Type.Object({
  row: Type.Integer({ description: "its place in `prices`, counted from 0" }),
  model: Nullable(Type.String({ description: "null: the row names none" })),
  message: Type.String(),
});
export type RefusedPrice = Static<typeof RefusedPrice>;

export const PriceImported = Type.Object({
  object: Type.Literal("list"),
  data: Type.Array(Price),
  refused: Type.Array(RefusedPrice, { description: "with `skip_invalid`, what was not set and why" }),
});
export type PriceImported = Static<typeof PriceImported>;

/** Percent added to each rate: `20`, `-5`. */
export const MarkupCreate = Type.Object(
  {
    account_id: Type.Optional(
      Nullable(Type.String({ description: "null: of every account without its own" })),
    ),
    percent: Type.String({
      pattern: "^-?\\d{1,5}(\\.\\d{1,6})?$",
      examples: ["20"],
      description: "`20`; `-5` takes off; at least -100",
    }),
    effective_at: Type.Optional(
      Type.String({ format: "date-time", description: "now, if it is left out; not in the past" }),
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
    description: "an account's own goes before that of every account",
  }),
  effective_at: Timestamp,
  ends_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type Markup = Static<typeof Markup>;
export const MarkupList = Type.Object({ object: Type.Literal("list"), data: Type.Array(Markup) });
export type MarkupList = Static<typeof MarkupList>;
export const MarkupQuery = Type.Object({ account_id: Type.Optional(Type.String()) }, closed);
