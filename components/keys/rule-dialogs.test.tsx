import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { KeyRule } from "#contract/key-rules.ts";
import { ToastProvider } from "@/components/ui/toast";
import { act } from "@/lib/gateway/act";
import { RuleDialogs } from "./rule-dialogs.tsx";

vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));
vi.mock("@/components/ui/page/link", () => ({ usePageRouter: () => ({ refresh: () => undefined }) }));
afterEach(cleanup);

const audience = "https://gateway.example/acct_1";
const rule = {
  ...{ id: "key_1", name: "nightly renders", issuer: "https://issuer.example", claims: { ref: "main" } },
  ...{ audience, single_use: false, lifetime_seconds: 3600, live_keys: 1, scopes: ["inference"] },
  ...{ models: null, regions: null, allowed_origins: null, networks: ["203.0.113.0/24"] },
  ...{ requests_per_minute: null, tokens_per_minute: null, model_tokens_per_minute: null },
  ...{ max_concurrency: null, contents: "inherit", monthly_budget: null, budgets: [], task_budget: null },
} as unknown as KeyRule;

beforeEach(() => {
  const saved = { answer: Promise.resolve({ ok: true as const, data: rule }) };
  vi.mocked(act)
    .mockReset()
    .mockResolvedValue(saved as never);
});

function edit() {
  const onChanged = vi.fn();
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <RuleDialogs
          question={{ about: "edit", rule }}
          audience={audience}
          serviceKeys={[]}
          modelIds={[]}
          onClose={onClose}
          onChanged={onChanged}
        />
      </ToastProvider>
    </QueryClientProvider>,
  );
  return { onChanged, onClose };
}

const save = () => userEvent.click(screen.getByRole("button", { name: "Save rule" }));
const claims = () => screen.getByRole("textbox", { name: /^Claims/ });

it("sends only what was changed, because other claims end the keys of a rule", async () => {
  const { onChanged } = edit();
  await userEvent.type(screen.getByLabelText("Requests per minute"), "30");
  await save();
  expect(act).toHaveBeenCalledExactlyOnceWith("PATCH /key_rules/{id}", {
    params: { id: "key_1" },
    body: { requests_per_minute: 30 },
  });
  await vi.waitFor(() => expect(onChanged).toHaveBeenCalled());
});

it("sends claims as they are typed, and refuses a line without a value", async () => {
  edit();
  await userEvent.clear(claims());
  await userEvent.type(claims(), "ref");
  await save();
  screen.getByText(/Give each line a name and a value/);
  expect(act).not.toHaveBeenCalled();
  await userEvent.type(claims(), " = draft");
  await save();
  expect(vi.mocked(act).mock.calls[0]?.[1]).toMatchObject({ body: { claims: { ref: "draft" } } });
});

it("closes and sends nothing when nothing was changed", async () => {
  const { onClose } = edit();
  await save();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(act).not.toHaveBeenCalled();
});
