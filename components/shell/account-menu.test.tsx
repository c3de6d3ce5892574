import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import type { SessionView } from "@/lib/person";
import { AccountMenu } from "./account-menu.tsx";

vi.mock("next/navigation", async (original) => ({
  ...(await original<typeof import("next/navigation")>()),
  useRouter: () => ({}),
  usePathname: () => "/",
}));

HTMLElement.prototype.hidePopover ??= () => {};
HTMLElement.prototype.showPopover ??= () => {};

afterEach(cleanup);

it("stays on the page and shows why when signing out cannot reach the console", async () => {
  const signOut = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));
  const session = { kind: "person", name: "Ada", email: "ada@example.com" } as unknown as SessionView;
  render(
    <ToastProvider>
      <AccountMenu session={session} signOut={signOut} openShortcuts={() => {}} />
    </ToastProvider>,
  );
  fireEvent.click(screen.getByText("Sign out"));
  expect(await screen.findByText("Could not sign out")).toBeTruthy();
  expect(screen.getByText("Ada")).toBeTruthy();
});

it("offers the other languages by their own names", () => {
  const session = { kind: "person", name: "Ada", email: "ada@example.com" } as unknown as SessionView;
  render(
    <ToastProvider>
      <AccountMenu session={session} signOut={async () => {}} openShortcuts={() => {}} />
    </ToastProvider>,
  );
  expect(screen.getByText("简体中文")).toBeTruthy();
  expect(screen.queryByText("English")).toBeNull();
});
