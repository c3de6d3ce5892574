import { expect, it } from "vitest";
import { marginOf } from "./sides.ts";

const cost = (amount: string | null, not_priced = 0) => ({ amount, currency: "USD", not_priced });

it.each([
  { paid: cost("1"), charged: cost("1.25"), margin: { amount: "0.25", percent: 20 } },
  {
    paid: cost("0.000000000003"),
    charged: cost("0.000000000002"),
    margin: { amount: "-0.000000000001", percent: -50 },
  },
  { paid: cost("0"), charged: cost("0"), margin: { amount: "0", percent: null } },
  { paid: cost(null, 2), charged: cost("1"), margin: null },
  { paid: cost("1", 3), charged: cost("5", 0), margin: null },
])(
  "computes the margin $margin.amount from a cost of $paid.amount and a charge of $charged.amount",
  ({ paid, charged, margin }) => {
    expect(marginOf(paid, charged)).toEqual(margin);
  },
);
