import { globSync } from "node:fs";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { Missing } from "./missing.tsx";

const place = vi.hoisted(() => ({ path: "/" }));
vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => place.path }));
afterEach(cleanup);

function titleAt(path: string): string | null {
  place.path = path;
  render(<Missing />);
  const { textContent } = screen.getByRole("heading", { level: 1 });
  cleanup();
  return textContent;
}

const pagesWithId = globSync("app/(console)/**/page.tsx")
  .filter((file) => file.includes("["))
  .map((file) => file.replace(/^app|\/page\.tsx$|\/\([^)]*\)/g, ""));

it("says of every page with an id what was not found", () => {
  expect(pagesWithId.length).toBeGreaterThan(10);
  const unnamed = pagesWithId.filter((address) => titleAt(address.replaceAll(/[[\]]/g, "")) === "Not found");
  // Nobody pastes the name of a guide or an id of the instance, and the first is the page for all unknown addresses.
  expect(unnamed.sort()).toEqual([
    "/[...rest]",
    "/guides/[slug]",
    "/operator/accounts/[id]",
    "/operator/reports/[id]",
  ]);
});

it("says the same in an account's address, and not below an id", () => {
  expect(titleAt("/a/acct_1/batches/batch_1")).toBe("Batch not found");
  expect(titleAt("/batches/batch_1/rows")).toBe("Not found");
  expect(titleAt("/playground/svc/chat-1/chat-completions")).toBe("Model not found");
});

it("leads from a deleted endpoint to its past deliveries", () => {
  place.path = "/webhooks/endpoints/we_1";
  render(<Missing />);
  expect(screen.getByRole("link", { name: "View deliveries" }).getAttribute("href")).toBe(
    "/webhooks/deliveries?endpoint_id=we_1",
  );
});
