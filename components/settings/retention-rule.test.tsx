import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import { ToastProvider } from "@/components/ui/toast";
import { act } from "@/lib/gateway/act";
import { localFailure } from "@/lib/gateway/result";
import { RetentionRule } from "./retention-rule.tsx";

vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));
vi.mock("next/navigation", () => ({
  useRouter: () => ({ refresh: vi.fn() }),
  useParams: () => ({}),
  usePathname: () => "/settings",
  useSearchParams: () => new URLSearchParams(),
}));

afterEach(cleanup);

function show(current: number | null, shortest: number | null = 10, mayChange = true) {
  vi.mocked(act).mockReset();
  vi.mocked(act).mockImplementation(async () => ({
    answer: Promise.resolve({ ok: true, data: {} as never }),
  }));
  const account = { retention_minutes: current, installation_retention_minutes: 1_440 } as CurrentAccount;
  render(
    <ToastProvider>
      <RetentionRule account={account} shortest={shortest} mayChange={mayChange} />
    </ToastProvider>,
  );
}

const sent = () => vi.mocked(act).mock.calls.map(([, call]) => (call as unknown as { body: unknown }).body);
const user = userEvent.setup();
async function enter(minutes: string) {
  const field = screen.getByRole("spinbutton", { name: "Minutes" });
  await user.clear(field);
  if (minutes !== "") await user.type(field, minutes);
  await user.click(screen.getByRole("button", { name: "Save" }));
}

it("asks before a shorter time, and again before what is kept is removed with it", async () => {
  show(null);
  screen.getByText("24 hours");
  for (const wrong of ["9", "1440"]) {
    await enter(wrong);
    screen.getByText("Enter a whole number from 10 to 1,439, or nothing.");
  }
  expect(sent()).toEqual([]);
  await enter("10");
  expect(sent()).toEqual([]);
  vi.mocked(act).mockResolvedValueOnce({
    answer: Promise.resolve({
      ok: false,
      error: {
        ...localFailure("retention_removes_kept", "Said in English."),
        details: [
          { path: "/remove_kept", keyword: "presets", message: "2 presets" },
          { path: "/remove_kept", keyword: "contents", message: "contents of calls" },
        ],
      },
    }),
  });
  await user.click(screen.getByRole("button", { name: "Remove earlier" }));
  await screen.findByText(/The account keeps 2 presets, contents of calls\. /);
  await user.click(screen.getByRole("button", { name: "Remove what is kept, too" }));
  expect(sent()).toEqual([{ retention_minutes: 10 }, { retention_minutes: 10, remove_kept: true }]);
});

it("saves a longer time, or that of the installation, without asking", async () => {
  show(20, 30);
  await enter("25");
  await enter("");
  expect(sent()).toEqual([{ retention_minutes: 25 }, { retention_minutes: null }]);
});

it("says that the operator allows none, and that only owners choose", () => {
  show(null, null);
  screen.getByText("SHORTEST_RETENTION_MINUTES");
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  cleanup();
  show(10, 10, false);
  screen.getByText("Only owners can change this.");
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
});
