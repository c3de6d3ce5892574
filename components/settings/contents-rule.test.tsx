import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import type { Account } from "#contract/accounts/account.ts";
import { ToastProvider } from "@/components/ui/toast";
import { act } from "@/lib/gateway/act";
import { ContentsRule } from "./contents-rule.tsx";

vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));
vi.mock("next/navigation", () => ({
  useRouter: () => ({ refresh: vi.fn() }),
  useParams: () => ({}),
  usePathname: () => "/settings",
  useSearchParams: () => new URLSearchParams(),
}));

afterEach(cleanup);

function show(keep: "off" | "all", options: { maxDays?: number | null; mayChange?: boolean } = {}) {
  vi.mocked(act).mockReset();
  vi.mocked(act).mockImplementation(async () => ({
    answer: Promise.resolve({ ok: true, data: {} as never }),
  }));
  const account = { contents: { keep, days: 7, embeddings: false } } as Account;
  const { maxDays = 30, mayChange = true } = options;
  render(
    <ToastProvider>
      <ContentsRule account={account} maxDays={maxDays} mayChange={mayChange} />
    </ToastProvider>,
  );
}

const sent = () =>
  vi.mocked(act).mock.calls.map(([route, call]) => [route, (call as unknown as { body: unknown }).body]);

it("turns contents on for the days that an owner chose, at most as many as the operator allows", async () => {
  show("off");
  await userEvent.click(screen.getByRole("radio", { name: /^All calls/ }));
  const days = screen.getByRole("spinbutton", { name: "Days" });
  await userEvent.clear(days);
  await userEvent.type(days, "31");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  screen.getByText("Enter a whole number from 1 to 30.");
  expect(sent()).toEqual([]);
  await userEvent.clear(days);
  await userEvent.type(days, "14");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(sent()).toEqual([["PATCH /account", { contents: { keep: "all", days: 14, embeddings: false } }]]);
});

it("asks before it turns contents off", async () => {
  show("all");
  await userEvent.click(screen.getByRole("radio", { name: /^Nothing/ }));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(sent()).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Delete everything kept" }));
  expect(sent()).toEqual([["PATCH /account", { contents: { keep: "off" } }]]);
});

it("says who can change it, and that an operator forbids it", () => {
  show("off", { mayChange: false });
  screen.getByText(/Only owners can change this/);
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  cleanup();
  show("off", { maxDays: null });
  screen.getByText(/Contents cannot be kept here/);
});
