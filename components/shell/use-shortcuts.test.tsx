import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import type { Role } from "#contract/accounts/constants.ts";
import { permissionsByRoles, permissionsOfRole } from "#contract/accounts/permissions.ts";
import { AccessProvider } from "@/components/team/access";
import { useShortcuts } from "./use-shortcuts.ts";

const push = vi.hoisted(() => vi.fn());
vi.mock("next/navigation", () => ({
  useRouter: () => ({ push, refresh: () => {} }),
  usePathname: () => "/",
}));
vi.mock("@/lib/browser/gateway", () => ({
  roleRefusedEvent: "refused",
  callRoute: async () => ({ ok: false, error: {} }),
}));

afterEach(() => {
  cleanup();
  push.mockReset();
});

function Shortcuts() {
  useShortcuts({ openPalette: () => {}, openShortcuts: () => {} });
  return null;
}

function opened(role: Role, operator: boolean, letters: string): string[] {
  const account = {
    id: "acct_1",
    role,
    permissions: [...permissionsOfRole(role)],
    keeps_outputs: true,
    user: { id: "u1", name: "Ada", email: "ada@example.com", operator },
  } as unknown as CurrentAccount;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AccessProvider account={account} permissionsByRoles={permissionsByRoles}>
        <Shortcuts />
      </AccessProvider>
    </QueryClientProvider>,
  );
  for (const letter of letters) for (const key of ["g", letter]) fireEvent.keyDown(document.body, { key });
  return push.mock.calls.map(([href]) => String(href));
}

it("opens the first page of each part of the rail with G and its letter", () => {
  expect(opened("owner", true, "hbrdaei")).toEqual([
    "/",
    "/catalog",
    "/predictions",
    "/keys",
    "/usage",
    "/guides",
    "/operator/first-steps",
  ]);
});

it("opens no part of the rail that the visitor does not have", () => {
  expect(opened("billing", false, "hrdi")).toEqual([]);
  expect(opened("billing", false, "a")).toEqual(["/usage"]);
});
