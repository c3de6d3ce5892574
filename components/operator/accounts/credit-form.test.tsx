import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { CreditCreate } from "#contract/money/budgets.ts";
import { act } from "@/lib/gateway/act";
import { localFailure } from "@/lib/gateway/result";
import { CreditForm } from "./credit-form.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({ refresh() {} }), usePathname: () => "/" }));

afterEach(cleanup);

vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));

async function addCredit(isPrepaid: boolean, amount: string): Promise<CreditCreate[]> {
  const sent: CreditCreate[] = [];
  vi.mocked(act).mockImplementation(async (_route, ...[call]) => {
    sent.push((call as unknown as { body: CreditCreate }).body);
    return { answer: Promise.resolve({ ok: false, error: localFailure("invalid_file", "Not today.") }) };
  });
  render(<CreditForm accountId="acct_1" currency="USD" isPrepaid={isPrepaid} />);
  await userEvent.type(screen.getByLabelText(/Amount/), amount);
  await userEvent.type(screen.getByLabelText(/Note/), "invoice 7");
  await userEvent.click(screen.getByRole("button", { name: "Add credit" }));
  return sent;
}

test("a first credit below zero is sent after a confirmation", async () => {
  const sent = await addCredit(false, "\u22125");
  expect(sent).toEqual([]);
  expect(screen.getByRole("alert").textContent).toContain("below zero");
  await userEvent.click(screen.getByRole("button", { name: "Make the account prepaid with -5 USD" }));
  expect(sent).toEqual([{ amount: "-5", note: "invoice 7" }]);
});

test("a credit that reduces the balance of a prepaid account needs no confirmation", async () => {
  expect(await addCredit(true, "-5")).toEqual([{ amount: "-5", note: "invoice 7" }]);
});

test("an amount with two meanings is refused", async () => {
  expect(await addCredit(true, "1.000")).toEqual([]);
  expect(screen.getByText('"1.000" can mean two amounts. Write 1 or 1000.')).toBeDefined();
});
