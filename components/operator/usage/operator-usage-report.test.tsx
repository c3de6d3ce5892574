import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { OperatorUsageRow } from "#contract/operator/usage.ts";
import { OperatorUsageReport } from "./operator-usage-report.tsx";

vi.mock("next/navigation", () => ({ usePathname: () => "/operator/all-usage" }));

afterEach(cleanup);

const cost = (amount: string | null) => ({ amount, currency: "USD", not_priced: amount === null ? 3 : 0 });
const row = (unit: string, quantity: number, amount: string | null) =>
  ({
    ...{ unit, quantity, requests: 3, cost: cost(amount), charge: cost(amount) },
    ...{ day: "2026-11-20", model: "svc/chat-1", account_id: "acct_1", account_name: "Acme", provider: "p" },
  }) as OperatorUsageRow;

function show(rows: OperatorUsageRow[], amount: string | null) {
  const total = { requests: 6, cost: cost(amount), charge: cost(amount) };
  const span = { from: "2026-11-20", to: "2026-11-20" };
  const parts = { accounts: rows, models: rows, providers: rows, byDay: rows, keys: [] };
  render(<OperatorUsageReport {...{ total, span, ...parts }} filter={{}} />);
}

it("shows quantities where no run has a price, with a link to the prices", () => {
  show([row("token", 1200, null), row("generation", 4, "0")], null);
  expect(screen.getByRole("heading", { name: "Tokens by day" })).toBeTruthy();
  expect(screen.getByRole("table", { name: "By model" }).textContent).toContain("1,200 tokens4 generations");
  expect(screen.getByRole("link", { name: "Open the prices" })).toBeTruthy();
  expect(screen.queryByText(/not priced/i)).toBeNull();
});

it("shows money as soon as a run has a price", () => {
  show([row("token", 1200, "0.5")], "0.5");
  expect(screen.getByRole("heading", { name: "Cost by day" })).toBeTruthy();
  expect(screen.queryByText("1,200 tokens")).toBeNull();
});
