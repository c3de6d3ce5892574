import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import type { Role } from "#contract/accounts/constants.ts";
import { permissionsByRoles, permissionsOfRole } from "#contract/accounts/permissions.ts";
import { AccessProvider } from "@/components/team/access";
import { defaultPreferences } from "@/lib/preferences";
import { PreferencesProvider } from "./preferences.tsx";
import { RailLinks } from "./rail.tsx";

const place = vi.hoisted(() => ({ path: "/" }));
vi.mock("next/navigation", () => ({
  useRouter: () => ({ refresh: () => {} }),
  usePathname: () => place.path,
}));
vi.mock("@/lib/browser/gateway", () => ({
  roleRefusedEvent: "refused",
  callRoute: async () => ({ ok: false, error: {} }),
}));

beforeEach(() => {
  place.path = "/";
});
afterEach(cleanup);

interface Visitor {
  role?: Role;
  operator?: boolean;
  keepsOutputs?: boolean;
}

function rail({ role = "owner", operator = false, keepsOutputs = true }: Visitor) {
  const account = {
    id: "acct_1",
    name: "Acme",
    role,
    permissions: [...permissionsOfRole(role)],
    keeps_outputs: keepsOutputs,
    extensions: true,
    user: { id: "u1", name: "Ada", email: "ada@example.com", operator },
  } as unknown as CurrentAccount;
  return (
    <QueryClientProvider client={new QueryClient()}>
      <PreferencesProvider initial={defaultPreferences}>
        <AccessProvider account={account} permissionsByRoles={permissionsByRoles}>
          <RailLinks />
        </AccessProvider>
      </PreferencesProvider>
    </QueryClientProvider>
  );
}

const links = () => screen.getAllByRole("link").map(({ textContent }) => textContent);
const isOpen = (section: string) =>
  screen.getByRole("button", { name: section }).getAttribute("aria-expanded") === "true";

const pagesOf = {
  Build: ["Catalog", "Compare", "Presets", "Conversations"],
  Results: ["Predictions", "Batches", "Library", "Uploads", "Destinations"],
  Developers: ["Keys", "Endpoints", "Deliveries", "Requests", "Activity", "Connections", "Aliases"],
  Account: ["Usage", "Team", "Attestations", "Notifications", "Audit log", "Settings"],
  Help: ["Guides", "API reference", "Status and regions"],
};

it("shows Home, and the pages of one section at a time", () => {
  render(rail({}));
  expect(links()).toEqual(["Home", ...pagesOf.Build]);
  for (const [name, pages] of Object.entries(pagesOf).slice(1)) {
    fireEvent.click(screen.getByRole("button", { name }));
    expect(links()).toEqual(["Home", ...pages]);
  }
  fireEvent.click(screen.getByRole("button", { name: "Help" }));
  expect(links()).toEqual(["Home"]);
});

it("opens the section of the page, and keeps it open on pages without a section", () => {
  place.path = "/keys";
  const { rerender } = render(rail({}));
  expect(isOpen("Developers")).toBe(true);
  expect(screen.getByRole("link", { name: "Keys" }).getAttribute("aria-current")).toBe("page");
  place.path = "/";
  rerender(rail({}));
  expect(isOpen("Developers")).toBe(true);
  // Sections that the user opened stay open, too.
  fireEvent.click(screen.getByRole("button", { name: "Help" }));
  place.path = "/settings/team";
  rerender(rail({}));
  expect(isOpen("Account")).toBe(true);
  expect(isOpen("Help")).toBe(false);
  expect(screen.getByRole("link", { name: "Settings" }).getAttribute("aria-current")).toBeNull();
  place.path = "/notices";
  rerender(rail({}));
  expect(isOpen("Account")).toBe(true);
});

it("has no page that the role cannot use", () => {
  render(rail({ role: "billing" }));
  expect(screen.queryByRole("button", { name: "Developers" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Account" }));
  expect(links()).toEqual(["Usage", "Notifications", "Settings"]);
});

it("has links for operators, and nobody else, into the instance and back", () => {
  const { rerender } = render(rail({ operator: true }));
  expect(screen.getByRole("link", { name: "Instance" }).getAttribute("href")).toBe("/operator/providers");
  place.path = "/operator/prices";
  rerender(rail({ operator: true }));
  expect(links().slice(0, 3)).toEqual(["Back to Acme", "First steps", "Providers"]);
  expect(links()).not.toContain("Catalog");
  cleanup();
  render(rail({}));
  expect(links()).toContain("Catalog");
  expect(links()).not.toContain("Instance");
});

it("has no library when outputs cannot be kept", () => {
  place.path = "/predictions";
  render(rail({ keepsOutputs: false }));
  expect(links()).not.toContain("Library");
});
