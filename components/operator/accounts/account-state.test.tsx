import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { act } from "@/lib/gateway/act";
import { AccountState } from "./account-state.tsx";

const push = vi.hoisted(() => vi.fn());
vi.mock("next/navigation", () => ({ useRouter: () => ({ refresh() {}, push }), usePathname: () => "/" }));
vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));

afterEach(cleanup);

const account = { accountId: "acct_1", name: "Acme", suspension: null, isBeingDeleted: false };

function answering() {
  const sent: unknown[] = [];
  vi.mocked(act).mockImplementation(async (...call) => {
    sent.push(call);
    return { answer: Promise.resolve({ ok: true, data: {} }) } as never;
  });
  return sent;
}

test("an account is suspended only with a reason", async () => {
  const sent = answering();
  render(<AccountState {...account} />);
  await userEvent.click(screen.getByRole("button", { name: "Suspend account" }));
  const dialog = await screen.findByRole("dialog");
  const submit = () =>
    userEvent.click(screen.getAllByRole("button", { name: "Suspend account" }).at(-1) ?? dialog);
  await submit();
  expect(sent).toEqual([]);
  await userEvent.type(await screen.findByLabelText(/Reason/), "Unpaid");
  await submit();
  const params = { id: "acct_1" };
  expect(sent).toEqual([["POST /operator/accounts/{id}/suspension", { params, body: { reason: "Unpaid" } }]]);
});

test("a suspension says who, and can be lifted", async () => {
  const sent = answering();
  const by = { id: "user_1", name: "Olga" };
  const suspension = {
    ...{ object: "operator.account_suspension" as const, reason: "Unpaid" },
    ...{ since: "2026-11-29T10:00:00.000Z", by },
  };
  render(<AccountState {...account} suspension={suspension} />);
  expect(screen.getByText(/Suspended by Olga/).textContent).toContain("“Unpaid”");
  await userEvent.click(screen.getByRole("button", { name: "Lift suspension" }));
  await userEvent.click(screen.getAllByRole("button", { name: "Lift suspension" }).at(-1) as HTMLElement);
  expect(sent).toEqual([["DELETE /operator/accounts/{id}/suspension", { params: { id: "acct_1" } }]]);
});

test("an account is deleted at once only when its name is typed, and its certificate is shown", async () => {
  const sent = answering();
  render(<AccountState {...account} />);
  await userEvent.click(screen.getByRole("button", { name: "Delete at once" }));
  await userEvent.type(await screen.findByLabelText(/Reason/), "Asked for");
  const name = screen.getByLabelText(/Type Acme/);
  await userEvent.type(name, "Acmee");
  await userEvent.click(screen.getByRole("button", { name: "Delete account at once" }));
  expect(sent).toEqual([]);
  await userEvent.type(name, "{backspace}");
  await userEvent.click(screen.getByRole("button", { name: "Delete account at once" }));
  const body = { name: "Acme", reason: "Asked for" };
  expect(sent).toEqual([["POST /operator/accounts/{id}/deletion", { params: { id: "acct_1" }, body }]]);
  expect(push).toHaveBeenCalledWith(expect.stringContaining("/operator/accounts/deleted/acct_1"));
});
