import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import type { OperatorAccountDetail } from "#contract/operator/accounts.ts";
import type { LimitPlan } from "#contract/operator/plans.ts";
import { LimitFacts } from "@/components/settings/limit-facts";
import { ToastProvider } from "@/components/ui/toast";
import { LimitsDialog } from "./limits-dialog.tsx";

const sent = vi.hoisted(() => ({ act: vi.fn() }));
vi.mock("@/lib/gateway/act", () => ({ act: sent.act }));
vi.mock("next/navigation", () => ({
  useRouter: () => ({ refresh: () => {} }),
  usePathname: () => "/",
  useSearchParams: () => new URLSearchParams(),
}));
afterEach(cleanup);

const none = {
  ...{ requests_per_minute: null, tokens_per_minute: null, max_concurrency: null, storage_bytes: null },
  ...{ contents_days: null, shortest_retention_minutes: null, models: null, regions: null },
};
const account: OperatorAccountDetail = {
  ...{ id: "acct_1", object: "operator.account", name: "Acme", created_at: "2026-11-01T00:00:00.000Z" },
  ...{
    state: "active",
    suspension: null,
    deletion_due_at: null,
    members: 2,
    keys: 1,
    stored_bytes: 1_000_000,
  },
  plan: null,
  limits: { ...none, requests_per_minute: 60, contents_days: 90, models: ["acme/gone"] },
  usual_limits: { ...none, storage_bytes: 20_000_000_000, contents_days: 30 },
};

it("sends the changed limits with the reason; an empty field and an empty list are the installation's", async () => {
  sent.act.mockResolvedValue({ answer: Promise.resolve({ ok: true, data: account }) });
  const closed = vi.fn();
  render(
    <ToastProvider>
      <LimitsDialog account={account} modelIds={["acme/a"]} plans={[]} onClose={closed} />
    </ToastProvider>,
  );
  const user = userEvent.setup();
  const field = (name: string) => screen.getByRole("textbox", { name });
  expect(field("Stored files in bytes").getAttribute("placeholder")).toBe("20000000000");
  expect(screen.getByText(/^Older contents are deleted/)).toBeDefined();
  await user.clear(field("Requests per minute"));
  await user.type(field("Concurrent requests"), "5");
  await user.click(screen.getByRole("checkbox", { name: "acme/gone" }));
  await user.click(screen.getByRole("checkbox", { name: "us-virginia" }));
  await user.click(screen.getByRole("button", { name: "Save limits" }));
  expect(sent.act).not.toHaveBeenCalled();
  expect(screen.getByText("Enter why the limits change.")).toBeDefined();
  await user.type(field("Reason"), "trial");
  await user.click(screen.getByRole("button", { name: "Save limits" }));
  await vi.waitFor(() => expect(closed).toHaveBeenCalled());
  expect(sent.act).toHaveBeenCalledWith("PATCH /operator/accounts/{id}/limits", {
    params: { id: "acct_1" },
    body: {
      ...{ requests_per_minute: null, max_concurrency: 5, models: null, regions: ["us-virginia"] },
      reason: "trial",
    },
  });
});

it("gives the account a plan, whose limits are what empty fields mean", async () => {
  sent.act.mockReset();
  sent.act.mockResolvedValue({ answer: Promise.resolve({ ok: true, data: account }) });
  const plan: LimitPlan = {
    ...{ id: "plan_1", name: "Small", accounts: 0, created_at: "" },
    object: "operator.plan",
    limits: { ...none, max_concurrency: 3 },
  };
  render(
    <ToastProvider>
      <LimitsDialog account={account} modelIds={[]} plans={[plan]} onClose={() => {}} />
    </ToastProvider>,
  );
  const user = userEvent.setup();
  const field = (name: string) => screen.getByRole("textbox", { name });
  await user.selectOptions(screen.getByRole("combobox", { name: "Plan" }), "Small");
  expect(field("Concurrent requests").getAttribute("placeholder")).toBe("3");
  await user.type(field("Reason"), "order 7");
  await user.click(screen.getByRole("button", { name: "Save limits" }));
  await vi.waitFor(() => expect(sent.act).toHaveBeenCalled());
  expect(sent.act.mock.calls[0]?.[1].body).toEqual({ plan: "plan_1", reason: "order 7" });
});

it("sends nothing if no limit changed", async () => {
  sent.act.mockReset();
  const closed = vi.fn();
  render(
    <ToastProvider>
      <LimitsDialog account={account} modelIds={[]} plans={[]} onClose={closed} />
    </ToastProvider>,
  );
  const user = userEvent.setup();
  await user.type(screen.getByRole("textbox", { name: "Reason" }), "trial");
  await user.click(screen.getByRole("button", { name: "Save limits" }));
  await screen.findByText("No limit changed");
  expect(closed).toHaveBeenCalled();
  expect(sent.act).not.toHaveBeenCalled();
});

it("shows what limits the account, and which limits are its own", () => {
  render(
    <LimitFacts
      limits={{ ...account.limits, storage_bytes: 2_000_000, contents_days: 30 }}
      storedBytes={1_000_000}
      plan="Small"
      set={account.limits}
    />,
  );
  expect(screen.getByText(/60 requests a minute/).textContent).toBe(
    "60 requests a minute · for this account",
  );
  expect(screen.getByText("Small")).toBeDefined();
  expect(screen.getByText("1 MB of 2 MB")).toBeDefined();
  expect(screen.getByText("Kept for at most 30 days").textContent).toBe("Kept for at most 30 days");
});
