import { expect, it } from "vitest";
import { english } from "@/scripts/testing/english";
import { budgetStates, budgetText } from "./budget-use.tsx";
import { budgetBody, budgetProblem, budgetValues } from "./budget-values.ts";

it("converts filled fields to a budget, and a budget to fields", () => {
  const values = { ...budgetValues(null), token: " 10000 ", second: "0.5" };
  expect(budgetBody(values)).toEqual({ token: 10_000, second: 0.5 });
  expect(budgetValues({ token: 10_000, second: 0.5 })).toEqual({ ...values, token: "10000" });
  expect(budgetBody(budgetValues(null))).toBeNull();
});

it.each(["", "1", "0.5", "1e6"])("accepts %j", (text) =>
  expect(budgetProblem(english("amounts"), text)).toBeUndefined(),
);

it.each(["0", "-1", "10,000", "many", "Infinity", "1e16"])("refuses %j", (text) =>
  expect(budgetProblem(english("amounts"), text)).toContain("above 0"),
);

it.each([
  [0, "open", 0],
  [799, "open", 0.799],
  [800, "near", 0.8],
  [999.5, "near", 0.9995],
  [1000, "spent", 1],
  [1204, "spent", 1],
])("%d of 1,000 is shown as %s", (token, stage, share) => {
  const [state] = budgetStates({ monthly_budget: { token: 1000 }, used_this_month: { token } });
  expect(state).toMatchObject({ stage, share });
});

it("shows the used part of each unit's budget", () => {
  const key = {
    monthly_budget: { second: 1, token: 10_000 },
    used_this_month: { token: 1204, second: 0, generation: 3 },
  };
  expect(budgetStates(key).map((state) => budgetText(state, english("keys")))).toEqual([
    "1,204 of 10,000 tokens this month",
    "0 of 1 second this month",
  ]);
  expect(budgetStates({ monthly_budget: null, used_this_month: {} })).toEqual([]);
});
