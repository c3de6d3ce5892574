import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import type { AccountExport } from "#contract/accounts/account-export.ts";
import { ToastProvider } from "@/components/ui/toast";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { saveFrom } from "@/lib/browser/save-file";
import { act } from "@/lib/gateway/act";
import { ExportAccountDialog } from "./export-account-dialog.tsx";

vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));
vi.mock("@/lib/browser/save-file", () => ({ saveFrom: vi.fn() }));
vi.mock("@/lib/browser/fetch-from-gateway", async (original) => ({
  ...(await original<object>()),
  fetchRoute: vi.fn(),
}));
vi.mock("next/navigation", () => ({
  useRouter: () => ({ refresh: vi.fn() }),
  useParams: () => ({}),
  usePathname: () => "/settings",
  useSearchParams: () => new URLSearchParams(),
}));

afterEach(cleanup);

const begun = {
  ...{ begun_by: { id: "usr_1", name: "Ada" }, begun_at: "2026-11-29T10:00:00.000Z" },
  ...{ expires_at: "2026-12-06T10:00:00.000Z", rows: 60_000, file_bytes: 5_000_000_000 },
  parts: [
    { number: 1, rows: 50_000, file_bytes: 0, sent_at: "2026-11-29T10:05:00.000Z" },
    { number: 2, rows: 10_000, file_bytes: 5_000_000_000, sent_at: null },
  ],
};

function show(state: Partial<AccountExport>) {
  vi.mocked(act).mockReset();
  vi.mocked(act).mockImplementation(async () => ({
    answer: Promise.resolve({ ok: true, data: {} as never }),
  }));
  vi.mocked(fetchRoute).mockResolvedValue({
    ...{ object: "account_export", export: null, operator_until: null },
    ...state,
  } as never);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <ExportAccountDialog accountName="Acme" onClose={() => {}} />
      </ToastProvider>
    </QueryClientProvider>,
  );
}

const sent = () =>
  vi.mocked(act).mock.calls.map(([route, call]) => [route, (call as unknown as { body: unknown }).body]);

it("begins an export when the owner has typed the account's name", async () => {
  show({});
  const begin = await screen.findByRole("button", { name: "Begin the export" });
  await userEvent.type(screen.getByRole("textbox"), "Another");
  await userEvent.click(begin);
  screen.getByText("This is not the name of the account.");
  expect(sent()).toEqual([]);
  await userEvent.clear(screen.getByRole("textbox"));
  await userEvent.type(screen.getByRole("textbox"), "Acme");
  await userEvent.click(begin);
  expect(sent()).toEqual([["POST /account/export", { name: "Acme" }]]);
});

it("lists the parts with what has arrived, and downloads one", async () => {
  show({ export: begun });
  expect(await screen.findByRole("progressbar", { name: "1 of 2 parts downloaded" })).toHaveProperty(
    "value",
    0.5,
  );
  await userEvent.click(screen.getByRole("button", { name: "Download part 2" }));
  expect(vi.mocked(saveFrom).mock.calls).toEqual([["/api/gateway/account/export/parts/2"]]);
});

it("allows an operator's export until a time, and withdraws that", async () => {
  show({ export: begun });
  await userEvent.click(await screen.findByRole("button", { name: "Allow for a day" }));
  expect(sent()).toEqual([["PUT /account/export/operator", { until: expect.stringMatching(/^2/) }]]);
  cleanup();
  show({ export: begun, operator_until: "2026-11-30T10:00:00.000Z" });
  await userEvent.click(await screen.findByRole("button", { name: "Withdraw" }));
  expect(sent()).toEqual([["PUT /account/export/operator", { until: null }]]);
});
