import { type Static, Type } from "typebox";
import { Nullable, Timestamp } from "../list.ts";
import { costReasons, priceKinds, priceUnits } from "./constants.ts";

export * from "./constants.ts";

/** An exact decimal as a string, such as `0.0123`. It is negative for a refund. */
export const Amount = Type.String({ pattern: "^-?\\d{1,18}(\\.\\d{1,12})?$", examples: ["0.0123"] });
/** An exact decimal as a string that is not negative. */
export const PositiveAmount = Type.String({ pattern: "^\\d{1,18}(\\.\\d{1,12})?$", examples: ["0.0123"] });

export const Currency = Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217", examples: ["USD"] });

export const Money = Type.Object({ amount: Amount, currency: Currency });
export type Money = Static<typeof Money>;

/**
 * What the account pays for a run. Without an amount the reason says why; a run without a price never costs
 * 0.
 */
export const Cost = Type.Object({
  amount: Nullable(Amount),
  currency: Currency,
  reason: Nullable(
    Type.Enum(costReasons, {
      description:
        "`not_priced`: no price applies; `sandbox`: no model ran, which costs nothing; `nothing_billed`: the provider does not bill a run that ended this way. Null: the run has a price",
    }),
  ),
});
export type Cost = Static<typeof Cost>;

/** Conditions of a component in addition to its kind. A line must meet all of them. */
export const PriceCondition = Type.Object(
  {
    resolution: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20,
        description: "resolution, such as `720p`; upper and lower case are equal",
      }),
    ),
    size: Type.Optional(Type.String({ pattern: "^\\d{2,5}x\\d{2,5}$", description: "`1024x1024`" })),
    quality: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
    audio: Type.Optional(Type.Boolean({ description: "true when the video has sound" })),
    service_tier: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20,
        description: "service tier that the provider reports for the run",
      }),
    ),
    context_above: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "the run has more input tokens than this, including cached ones",
      }),
    ),
    duration_above: Type.Optional(
      Type.Number({ minimum: 0, description: "the run has more seconds than this" }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type PriceCondition = Static<typeof PriceCondition>;

/** One line of a calculation: `amount` = `quantity` × `rate` / `per`, rounded once, to twelve decimals. */
export const CostLine = Type.Object({
  kind: Type.Enum(priceKinds),
  unit: Type.Enum(priceUnits),
  about: Type.String({
    description: "variant that determines the price: `720P`, `1024x1024:high`; empty: none",
  }),
  quantity: Type.Number(),
  per: Nullable(Type.Integer()),
  rate: Nullable(Amount),
  when: Nullable(PriceCondition),
  amount: Nullable(Amount),
  price_id: Nullable(Type.String({ description: "id of the price version" })),
});
export type CostLine = Static<typeof CostLine>;

/** How the cost of a run was calculated. The sum of the lines is the amount. */
export const RunCost = Type.Interface([Cost], {
  object: Type.Literal("run_cost"),
  run_id: Type.String({ description: "id of the run: `gen_…`, `pred_…` or `brow_…`" }),
  model: Type.String(),
  admitted_at: Timestamp,
  lines: Type.Array(CostLine),
});
export type RunCost = Static<typeof RunCost>;

/** For operators: what the run cost the installation, and what the account pays. */
export const OperatorRunCost = Type.Object({
  object: Type.Literal("operator.run_cost"),
  account_id: Type.String(),
  provider: Type.String(),
  region: Type.String(),
  cost: RunCost,
  charge: RunCost,
});
export type OperatorRunCost = Static<typeof OperatorRunCost>;
