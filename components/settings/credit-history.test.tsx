import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Credit } from "#contract/money/budgets.ts";
import { CreditHistory } from "./credit-history.tsx";

const credit: Credit = {
  id: "crd_2",
  object: "credit",
  amount: "-30",
  currency: "USD",
  note: "mistake",
  added_by: { id: "usr_1", name: "Olga" },
  balance_after: "70",
  created_at: "2026-11-20T10:00:00.000Z",
};

test("each credit shows who added it, and the balance after it if that was recorded", () => {
  const older = { ...credit, id: "crd_1", amount: "100", added_by: null, balance_after: null };
  render(<CreditHistory credits={[credit, older]} />);
  const [, newer, earlier] = screen.getAllByRole("row");
  if (!newer || !earlier) throw new Error("a credit has no row");
  for (const text of ["-30 USD", "70 USD", "Olga"]) within(newer).getByText(text);
  for (const text of ["100 USD", "–", "the command line"]) within(earlier).getByText(text);
  expect(screen.getByText(/did not record the balance/)).toBeDefined();
});
