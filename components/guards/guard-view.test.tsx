import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Guard, GuardTest } from "#contract/guards.ts";
import { ToastProvider } from "@/components/ui/toast";
import { act } from "@/lib/gateway/act";
import { GuardView } from "./guard-view.tsx";

const refresh = vi.hoisted(() => vi.fn());
vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));
vi.mock("@/lib/gateway/secret-actions", () => ({ addGuard: vi.fn(), rotateGuardSecret: vi.fn() }));
vi.mock("@/components/ui/page/link", () => ({ usePageRouter: () => ({ refresh }) }));
afterEach(cleanup);

const guard: Guard = {
  ...{ object: "guard", enabled: true, url: "https://guard.example/", stages: ["input", "output"] },
  ...{ streams: "after", hold_characters: 500, on_error: "block", operations: null, models: null },
  ...{ keys: null, except_keys: [], gated_contents: true, answered_by: "usr_1", allow_private: false },
  ...{ secret_hint: "ab12", previous_secrets: [], failing_since: null, last_error: null },
  ...{ created_at: "2026-11-20T10:00:00Z", updated_at: "2026-11-20T10:00:00Z" },
};

function show(more: Partial<Guard> = {}) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <GuardView
          of="account"
          guard={{ ...guard, ...more }}
          activity={null}
          keys={[{ id: "key_1", name: "Laptop" }]}
          models={["svc/chat-1"]}
          answerer="Ann"
        />
      </ToastProvider>
    </QueryClientProvider>,
  );
}

const answerWith = (data: unknown) =>
  vi.mocked(act).mockResolvedValue({ answer: Promise.resolve({ ok: true, data }) } as never);
const click = (name: string | RegExp) => userEvent.click(screen.getByRole("button", { name }));
const state = () => within(screen.getByRole("region", { name: "State" }));

beforeEach(() => {
  vi.mocked(act).mockReset();
  answerWith(guard);
});

it("saves only what was changed: whoever sends gated contents answers for them", async () => {
  show();
  state().getByText("Ann");
  expect(screen.queryByText("Unsaved changes")).toBeNull();
  await userEvent.click(await screen.findByRole("radio", { name: /Let the run continue/ }));
  screen.getByText("Unsaved changes");
  await click("Save changes");
  expect(act).toHaveBeenCalledExactlyOnceWith("PATCH /account/guard", { body: { on_error: "allow" } });
  await screen.findByText("Guard saved");
  await vi.waitFor(() => expect(screen.queryByText("Unsaved changes")).toBeNull());
});

it("asks for keys before it saves that only some are meant", async () => {
  show();
  await userEvent.click(await screen.findByRole("radio", { name: "Only these keys" }));
  await click("Save changes");
  screen.getByText("Choose at least one key.");
  await userEvent.click(screen.getByRole("checkbox", { name: "Laptop" }));
  await click("Save changes");
  expect(act).toHaveBeenCalledExactlyOnceWith("PATCH /account/guard", { body: { keys: ["key_1"] } });
});

it("is turned off and removed only after a question", async () => {
  show();
  await userEvent.click(screen.getByRole("switch", { name: "Ask this guard" }));
  await userEvent.click(await screen.findByRole("button", { name: "Turn off" }));
  expect(act).toHaveBeenLastCalledWith("PATCH /account/guard", { body: { enabled: false } });
  await screen.findByText("The guard is off: runs go unchecked");
  await click("Remove");
  await userEvent.click(await screen.findByRole("button", { name: "Remove guard" }));
  expect(act).toHaveBeenLastCalledWith("DELETE /account/guard");
  await screen.findByText("Guard removed");
  expect(refresh).toHaveBeenCalled();
});

it("says since when it fails and why, and what a test of an output means for runs", async () => {
  show({ failing_since: "2026-11-29T10:00:00Z", last_error: "It answered 500 instead of 200." });
  state().getByText("Failing");
  state().getByText("It answered 500 instead of 200.");
  const tested: GuardTest = { object: "guard_test", result: "blocked", reason: "No.", duration_ms: 12 };
  answerWith(tested);
  await userEvent.click(screen.getByRole("radio", { name: "an output" }));
  await click("Send a test question");
  expect(act).toHaveBeenLastCalledWith("POST /account/guard/test", { body: { stage: "output" } });
  const result = within(screen.getByRole("region", { name: "Test" }));
  await result.findByText(/the run would be counted/);
  result.getByText("No.");
});
