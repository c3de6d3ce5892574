import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { AccountBudgets } from "#contract/money/budgets.ts";
import { AccountMoney } from "./account-money.tsx";

afterEach(cleanup);

const money: AccountBudgets = {
  ...{ object: "account.budgets", tokens_per_minute: null, model_tokens_per_minute: null },
  ...{ budgets: [], task_budget: null, prepaid: null, currency: "USD" },
};

it("says what is spent of each budget of the account, and when it starts again", () => {
  const monthly = {
    ...({ amount: "20", currency: "USD", period: "month", hard: true } as const),
    ...{ spent: "17.5", reserved: "0", left: "2.5", resets_at: "2026-12-01T00:00:00Z" },
  };
  render(<AccountMoney money={{ ...money, budgets: [monthly] }} mayChange={false} />);
  const budgets = within(screen.getByRole("region", { name: "Budgets of the account" }));
  budgets.getByText("Almost spent: 17.5 of 20 USD this month");
  expect(budgets.getByText("1 Dec 2026, 00:00:00 UTC").getAttribute("datetime")).toBe(monthly.resets_at);
  expect(budgets.queryByRole("link")).toBeNull();
});

it("offers to set the first budget to those who may", () => {
  render(<AccountMoney money={money} mayChange />);
  expect(screen.getByRole("link", { name: "Set a budget" }).getAttribute("href")).toContain(
    "/settings?do=budgets",
  );
  cleanup();
  render(<AccountMoney money={money} mayChange={false} />);
  expect(screen.queryByRole("region")).toBeNull();
});
