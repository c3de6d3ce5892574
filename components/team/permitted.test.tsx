import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import type { Role } from "#contract/accounts/constants.ts";
import { permissionsByRoles, permissionsOfRole } from "#contract/accounts/permissions.ts";
import { AccessProvider } from "./access.tsx";
import { Permitted } from "./permitted.tsx";

const members = [
  { user_id: "u1", name: "Ada", role: "owner" },
  { user_id: "u2", name: "Ben", role: "admin" },
];
vi.mock("next/navigation", () => ({
  useRouter: () => ({ refresh: () => {} }),
  usePathname: () => "/",
}));
vi.mock("@/lib/browser/gateway", () => ({
  roleRefusedEvent: "refused",
  callRoute: async (route: string) =>
    route === "GET /account/members" ? { ok: true, data: { data: members } } : { ok: false, error: {} },
}));

HTMLElement.prototype.showPopover ??= () => {};
HTMLElement.prototype.hidePopover ??= () => {};
afterEach(cleanup);

function show(role: Role | null) {
  const pressed = vi.fn();
  const account = role && {
    id: "acc_1",
    role,
    permissions: [...permissionsOfRole(role)],
    user: { id: "u9", name: "Cy", email: "cy@example.com" },
  };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AccessProvider
        account={account as unknown as CurrentAccount | null}
        permissionsByRoles={permissionsByRoles}
      >
        <Permitted to="endpoints:manage">
          <button type="button" onClick={pressed}>
            Add endpoint
          </button>
        </Permitted>
      </AccessProvider>
    </QueryClientProvider>,
  );
  return pressed;
}

it("shows the button to people with the permission, and with a gateway without roles", () => {
  for (const role of ["owner", "admin", null] as const) {
    const pressed = show(role);
    fireEvent.click(screen.getByRole("button"));
    expect(pressed).toHaveBeenCalledOnce();
    cleanup();
  }
});

it("disables the button for other members who work here, and names the roles and people who may use it", async () => {
  const pressed = show("member");
  const button = await screen.findByRole("button");
  fireEvent.click(button);
  expect(button.getAttribute("aria-disabled")).toBe("true");
  expect(pressed).not.toHaveBeenCalled();
  expect(await screen.findByText("Owner: Ada")).toBeTruthy();
  expect(screen.getByText("Admin: Ben")).toBeTruthy();
});

it("shows nothing to people who can only read", () => {
  show("viewer");
  expect(screen.queryByRole("button")).toBeNull();
});
