import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Connection } from "#contract/connections.ts";
import { ConsentForm } from "@/components/connections/consent-form";
import { AccountBudgetsDialog } from "@/components/settings/account-budgets-dialog";
import { ToastProvider } from "@/components/ui/toast";
import { BudgetDialog } from "./budget-dialog.tsx";

const sent = vi.hoisted(() => ({ act: vi.fn(), allowConnection: vi.fn() }));
vi.mock("@/lib/gateway/act", () => ({ act: sent.act }));
vi.mock("@/lib/gateway/secret-actions", () => ({ allowConnection: sent.allowConnection }));
vi.mock("next/navigation", () => ({
  useRouter: () => ({ refresh: () => {} }),
  usePathname: () => "/",
  useSearchParams: () => new URLSearchParams(),
}));

const save = vi.fn();
const refused = { answer: Promise.resolve({ ok: false, error: { code: "x", message: "x", details: [] } }) };
beforeEach(() => {
  for (const call of [save, ...Object.values(sent)]) call.mockReset().mockResolvedValue(refused);
});
afterEach(cleanup);

const cap = { metadata_key: "session", amount: "2", currency: "USD", max_runs: 500 };
const holder = { id: "key_1", name: "agent", monthly_budget: null, used_this_month: {}, budgets: [] };
const noTokens = { tokens_per_minute: null, model_tokens_per_minute: null };
const money = {
  object: "account.budgets" as const,
  ...{ budgets: [], prepaid: null, currency: "USD" },
  ...noTokens,
};

/** Each form with a cap, and the body that it sent. */
const forms = {
  "the account": {
    show: (task_budget: typeof cap | null) => (
      <AccountBudgetsDialog money={{ ...money, task_budget }} onClose={() => {}} />
    ),
    save: "Save budgets",
    body: () => sent.act.mock.calls[0]?.[1].body,
  },
  "a key": {
    show: (task_budget: typeof cap | null) => (
      <BudgetDialog
        holder={{ ...holder, ...noTokens, task_budget }}
        currency="USD"
        save={save}
        onSaved={() => {}}
        onClose={() => {}}
      />
    ),
    save: "Save budgets",
    body: () => save.mock.calls[0]?.[0],
  },
};

it.each(Object.entries(forms))(
  "of %s sends what is entered, and null once it is emptied",
  async (_, form) => {
    const shown = render(<ToastProvider>{form.show(null)}</ToastProvider>);
    await userEvent.type(screen.getByLabelText("Runs per task"), "500");
    await userEvent.click(screen.getByRole("button", { name: form.save }));
    await screen.findByText(/Enter the metadata key that names a task/);
    await userEvent.type(screen.getByLabelText("Metadata key"), "session");
    await userEvent.type(screen.getByLabelText("Money per task, in USD"), "2");
    await userEvent.click(screen.getByRole("button", { name: form.save }));
    await vi.waitFor(() =>
      expect(form.body()).toMatchObject({
        task_budget: { metadata_key: "session", amount: "2", max_runs: 500 },
      }),
    );
    shown.unmount();
    for (const call of [save, sent.act]) call.mockClear();
    render(<ToastProvider>{form.show(cap)}</ToastProvider>);
    for (const label of ["Metadata key", "Money per task, in USD", "Runs per task"])
      await userEvent.clear(screen.getByLabelText(label));
    await userEvent.click(screen.getByRole("button", { name: form.save }));
    await vi.waitFor(() => expect(form.body()).toMatchObject({ task_budget: null }));
  },
);

it.each(Object.entries(forms))("tokens per minute of %s are sent as numbers", async (_, form) => {
  render(<ToastProvider>{form.show(null)}</ToastProvider>);
  await userEvent.type(screen.getByLabelText("Tokens per minute"), "100000");
  await userEvent.type(screen.getByLabelText("Tokens per minute by model"), "svc/chat-1");
  await userEvent.click(screen.getByRole("button", { name: form.save }));
  await screen.findByText(/“svc\/chat-1” is not a model and a whole number/);
  await userEvent.type(screen.getByLabelText("Tokens per minute by model"), " 5000");
  await userEvent.click(screen.getByRole("button", { name: form.save }));
  await vi.waitFor(() =>
    expect(form.body()).toMatchObject({
      tokens_per_minute: 100_000,
      model_tokens_per_minute: { "svc/chat-1": 5_000 },
    }),
  );
});

it("is no part of a member's budgets", async () => {
  render(<BudgetDialog holder={holder} save={save} onSaved={() => {}} onClose={() => {}} />);
  expect(screen.queryByLabelText("Metadata key")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Save budgets" }));
  await vi.waitFor(() => expect(save).toHaveBeenCalled());
  for (const name of ["task_budget", "tokens_per_minute"])
    expect(save.mock.calls[0]?.[0]).not.toHaveProperty(name);
});

it("is offered for a new connection, with the usual key", async () => {
  const scopes: Connection["scopes"] = ["inference"];
  render(
    <ConsentForm asked={{}} clientName="Agent" scopes={scopes} models={[]} currency="USD" deniedUrl="/" />,
  );
  await userEvent.click(screen.getByRole("radio", { name: /No separate budget/ }));
  await userEvent.click(screen.getByRole("radio", { name: /Limit each task/ }));
  await userEvent.click(screen.getByRole("button", { name: "Allow" }));
  await screen.findByText("Enter an amount, a number of runs, or both.");
  await userEvent.type(screen.getByLabelText("Runs per task"), "50");
  await userEvent.click(screen.getByRole("button", { name: "Allow" }));
  await vi.waitFor(() => expect(sent.allowConnection).toHaveBeenCalled());
  expect(sent.allowConnection.mock.calls[0]?.[0]).toMatchObject({
    task_budget: { metadata_key: "session", amount: null, max_runs: 50 },
  });
});
