import { expect, it } from "vitest";
import { budgetLeft } from "./budget-left.ts";

const none = {
  object: "account.budgets" as const,
  tokens_per_minute: null,
  model_tokens_per_minute: null,
  task_budget: null,
  budgets: [],
  prepaid: null,
  currency: "USD",
};
const budget = {
  amount: "20",
  currency: "USD",
  period: "month" as const,
  hard: true,
  spent: "7.6",
  reserved: "0",
  left: "12.4",
  resets_at: null,
};

it("shows nothing when nothing limits the account", () => {
  expect(budgetLeft(none)).toBeNull();
  expect(budgetLeft({ ...none, budgets: [{ ...budget, hard: false }] })).toBeNull();
});

it("shows the rest of the tightest limit, including the prepaid credit", () => {
  const day = { ...budget, period: "day" as const, left: "100" };
  expect(budgetLeft({ ...none, budgets: [day, budget] })).toEqual({
    label: "12.40 USD left of this month’s budget",
    isSpent: false,
  });
  const prepaid = { balance: "2", reserved: "2.5", currency: "USD" };
  expect(budgetLeft({ ...none, budgets: [budget], prepaid })).toEqual({
    label: "-0.50 USD left of the prepaid credit",
    isSpent: true,
  });
});
