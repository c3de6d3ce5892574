import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { isAlive, openPage } from "./pages/open-page.ts";

const rail = (page: Page) => page.getByRole("navigation", { name: "Pages", exact: true });
const section = (page: Page, name: string) => rail(page).getByRole("button", { name });
const link = (page: Page, name: string) => rail(page).getByRole("link", { name, exact: true });

test("the whole rail is visible on a small laptop, whichever section is open", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await openPage(page, "/");
  for (const name of ["Build", "Results", "Developers", "Account", "Help"]) {
    if ((await section(page, name).getAttribute("aria-expanded")) === "false")
      await section(page, name).click();
    await expect(section(page, name)).toHaveAttribute("aria-expanded", "true");
    expect(await hidden(page), name).toEqual([]);
    await expectAccessibleState(page);
  }
  await openPage(page, "/operator/providers");
  expect(await hidden(page)).toEqual([]);
});

test("a section opens by the keyboard, stays open, and follows the page", async ({ page }) => {
  await openPage(page, "/keys");
  await expect(section(page, "Developers")).toHaveAttribute("aria-expanded", "true");
  await expect(link(page, "Keys")).toHaveAttribute("aria-current", "page");
  await section(page, "Results").focus();
  await page.keyboard.press("Enter");
  await expect(section(page, "Results")).toHaveAttribute("aria-expanded", "true");
  await expect(section(page, "Developers")).toHaveAttribute("aria-expanded", "false");
  await page.keyboard.press("Tab");
  await expect(link(page, "Predictions")).toBeFocused();

  await link(page, "Home").click();
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
  await page.reload();
  await isAlive(page);
  await expect(link(page, "Predictions")).toBeVisible();

  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page.getByRole("heading", { level: 1, name: "Usage" })).toBeVisible();
  await expect(link(page, "Usage")).toHaveAttribute("aria-current", "page");
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByRole("heading", { name: "Go to" })).toBeVisible();
  await expect(sheet.getByRole("term").filter({ hasText: "Instance" })).toBeVisible();
});

test("the instance has its own rail, with a way back", async ({ page }) => {
  await openPage(page, "/");
  const accounts = await colourOf(page);
  await link(page, "Instance").click();
  await expect(page.getByRole("heading", { level: 1, name: "Providers" })).toBeVisible();
  await expect(page.getByText("You configure the whole instance, for all accounts.")).toBeVisible();
  expect(await colourOf(page)).not.toBe(accounts);
  await expect(link(page, "Predictions")).toHaveCount(0);
  await link(page, "Prices").click();
  await expect(page.getByRole("heading", { level: 1, name: "Prices" })).toBeVisible();
  await rail(page)
    .getByRole("link", { name: /^Back to / })
    .click();
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
  await expect(page.getByText("You configure the whole instance, for all accounts.")).toBeHidden();
});

test("between phone and desktop width, the rail has icons with names", async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 720 });
  await openPage(page, "/audit-log");
  await expect(link(page, "Audit log")).toHaveAttribute("title", "Audit log");
  expect(await hidden(page)).toEqual([]);
  await expectAccessibleState(page);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("the sheet has the same sections, and the instance has its own pages", async ({ page }) => {
    await openPage(page, "/");
    const sheet = page.locator("#all-pages");
    await page.getByRole("button", { name: "More", exact: true }).tap();
    await sheet.getByRole("button", { name: "Help" }).tap();
    await expect(sheet.getByRole("link", { name: "Guides" })).toBeVisible();
    await sheet.getByRole("link", { name: "Instance" }).tap();
    await expect(page.getByRole("heading", { level: 1, name: "Providers" })).toBeVisible();
    await expect(sheet).toBeHidden();
    await page.getByRole("button", { name: "More", exact: true }).tap();
    await sheet.getByRole("link", { name: "Health" }).tap();
    await expect(page.getByRole("heading", { level: 1, name: "Health" })).toBeVisible();
    await expectAccessible(page);
  });
});

/** Lines of the rail that are outside its window. */
function hidden(page: Page): Promise<string[]> {
  return rail(page).evaluate((nav) =>
    [...nav.querySelectorAll("a, button")].flatMap((line) => {
      const box = line.getBoundingClientRect();
      const list = line.closest(".overflow-y-auto")?.getBoundingClientRect();
      const fits = box.bottom <= Math.min(innerHeight, list?.bottom ?? innerHeight) && box.top >= 0;
      return box.height === 0 || fits ? [] : [line.textContent ?? ""];
    }),
  );
}

function colourOf(page: Page): Promise<string> {
  return rail(page).evaluate((nav) => getComputedStyle(nav).backgroundColor);
}

test("a short address opens the first page of its section, and an old address redirects", async ({
  page,
}) => {
  for (const [given, now, heading] of [
    ["/webhooks", "/webhooks/endpoints", "Endpoints"],
    ["/operator", "/operator/providers", "Providers"],
    ["/audit-logs?action=key.created", "/audit-log?action=key.created", "Audit log"],
    ["/docs", "/api-reference", "API reference"],
    ["/regions", "/status-and-regions", "Status and regions"],
    ["/verify", "/library/check-a-file", "Check a file"],
    ["/operator/routes/new", "/operator/mapping/new", "Add a route"],
    ["/operator/usage/bill", "/operator/all-usage/bill", "Compare with a bill"],
  ] as const) {
    await openPage(page, given);
    expect(page.url().endsWith(now), page.url()).toBe(true);
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
  }
});

test("the page of a link is prefetched when somebody points at the link or focuses it", async ({ page }) => {
  await openPage(page, "/uploads");
  const fetched = (path: string) =>
    page.waitForRequest(
      (request) => new URL(request.url()).pathname === path && "next-router-prefetch" in request.headers(),
    );
  const pointedAt = fetched("/predictions");
  await link(page, "Predictions").hover();
  await pointedAt;
  const focused = fetched("/batches");
  await link(page, "Batches").focus();
  await focused;
});
