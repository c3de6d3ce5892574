import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CurrentAccount } from "#contract/accounts/account.ts";
import { permissionsOfRole } from "#contract/accounts/permissions.ts";
import type { Role } from "#contract/accounts/roles.ts";
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
        <AccessProvider account={account}>
          <RailLinks />
        </AccessProvider>
      </PreferencesProvider>
    </QueryClientProvider>
  );
}

const links = () => screen.getAllByRole("link").map(({ textContent }) => textContent);
const isOpen = (section: string) =>
  screen.getByRole("button", { name: section }).getAttribute("aria-expanded") === "true";

it("shows what is used daily, and one section at a time", () => {
  render(rail({}));
  const daily = ["Home", "Catalog", "Compare", "Predictions", "Batches", "Library", "Uploads", "Activity"];
  expect(links()).toEqual([...daily, "Endpoints", "Deliveries", "Destinations"]);
  fireEvent.click(screen.getByRole("button", { name: "Help" }));
  expect(links()).toEqual([...daily, "Status", "Regions", "Guides", "API reference"]);
  fireEvent.click(screen.getByRole("button", { name: "Help" }));
  expect(links()).toEqual(daily);
});

it("opens the section of the page, and keeps it open on pages of no section", () => {
  place.path = "/keys";
  const { rerender } = render(rail({}));
  expect(isOpen("Account")).toBe(true);
  expect(screen.getByRole("link", { name: "Keys" }).getAttribute("aria-current")).toBe("page");
  place.path = "/predictions";
  rerender(rail({}));
  expect(isOpen("Account")).toBe(true);
  // Sections opened by hand stay open too.
  fireEvent.click(screen.getByRole("button", { name: "Help" }));
  place.path = "/webhooks/endpoints";
  rerender(rail({}));
  expect(isOpen("Webhooks")).toBe(true);
  place.path = "/";
  rerender(rail({}));
  expect(isOpen("Webhooks")).toBe(true);
});

it("has nothing that the role cannot use", () => {
  render(rail({ role: "billing" }));
  expect(screen.queryByRole("button", { name: "Webhooks" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Account" }));
  expect(links()).toEqual(["Usage"]);
});

it("leads an operator into the instance and back, and nobody else", () => {
  const { rerender } = render(rail({ operator: true }));
  expect(screen.getByRole("link", { name: "Instance" }).getAttribute("href")).toBe("/operator/providers");
  place.path = "/operator/prices";
  rerender(rail({ operator: true }));
  expect(links().slice(0, 3)).toEqual(["Back to Acme", "First steps", "Providers"]);
  expect(links()).not.toContain("Predictions");
  cleanup();
  render(rail({}));
  expect(links()).toContain("Predictions");
  expect(links()).not.toContain("Instance");
});

it("has no library where outputs cannot be kept", () => {
  render(rail({ keepsOutputs: false }));
  expect(links()).not.toContain("Library");
});
