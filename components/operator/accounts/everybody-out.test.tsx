import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import { act } from "@/lib/gateway/act";
import { EverybodyOut } from "./everybody-out.tsx";

vi.mock("next/navigation", () => ({ useRouter: () => ({ refresh() {} }), usePathname: () => "/" }));
vi.mock("@/lib/gateway/act", () => ({ act: vi.fn() }));

afterEach(cleanup);

test("says what ends and what keeps working, then ends the personal keys of one account after the grace time", async () => {
  const sent: unknown[] = [];
  const counts = { sessions: 2, personal_keys: 1, connections: 0, service_keys: 3 };
  const keys_end_at = "2026-11-20T23:42:07.000Z";
  vi.mocked(act).mockImplementation(async (...call) => {
    sent.push(call);
    return { answer: Promise.resolve({ ok: true, data: { ...counts, keys_end_at } }) } as never;
  });
  render(
    <ToastProvider>
      <EverybodyOut account={{ id: "acct_1", name: "Acme" }} />
    </ToastProvider>,
  );
  await userEvent.click(screen.getByRole("button", { name: "End all personal keys" }));
  const dialog = await screen.findByRole("dialog", { name: "End all personal keys of Acme?" });
  await screen.findByText(/2 sessions, 1 personal key, 0 connections of agents, 3 service keys/);
  expect(dialog.textContent).toMatch(
    /make new personal keys.*Service keys, sessions and shared links keep working/s,
  );
  await userEvent.selectOptions(screen.getByLabelText("Keys end"), "In a day");
  await userEvent.type(screen.getByLabelText(/Reason/), "Leak");
  await userEvent.click(
    screen.getAllByRole("button", { name: "End all personal keys" }).at(-1) as HTMLElement,
  );
  expect(sent).toEqual([
    ["GET /operator/access", { query: { account_id: "acct_1" } }],
    [
      "POST /operator/access/end",
      { body: { what: "personal_keys", account_id: "acct_1", reason: "Leak", grace_seconds: 86_400 } },
    ],
  ]);
  await screen.findByText(/^0 connections ended, 1 personal key ends 20 Nov 2026, /);
});
