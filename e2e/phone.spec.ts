import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { withIds } from "./pages/every-page.ts";
import { openPage } from "./pages/open-page.ts";
import { smallTargets } from "./pages/phone.ts";
import { Playground } from "./pages/playground.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** Navigation is only in the bar at the bottom. */
const bar = "nav[aria-label=Pages]:visible";

test("the bar opens a model, which can be run, and its answer read", async ({ page }) => {
  await openPage(page, "/");
  await page.locator(bar).getByRole("link", { name: "Catalog" }).tap();
  await page.getByRole("link", { name: "svc/chat-1", exact: true }).tap();
  await expect(page.getByRole("heading", { level: 1, name: "svc/chat-1" })).toBeVisible();
  await page.getByRole("link", { name: "Open in the playground" }).tap();
  const playground = new Playground(page);
  await playground.tab("Form");
  await page.getByRole("textbox", { name: "Content of message 2" }).fill("Say the word heliotrope.");
  await playground.run.tap();
  // The result replaces the input automatically.
  await expect(playground.result.getByRole("article")).toContainText("Say the word heliotrope.");
  await expect(playground.run).toBeHidden();
});

test("the other pages open from the bar", async ({ page }) => {
  await openPage(page, "/predictions");
  await page.locator(bar).getByRole("button", { name: "More" }).tap();
  await page.locator("#all-pages").getByRole("button", { name: "Account" }).tap();
  await page.locator("#all-pages").getByRole("link", { name: "Audit log" }).tap();
  await expect(page.getByRole("heading", { level: 1, name: "Audit log" })).toBeVisible();
  await expect(page.locator("#all-pages")).toBeHidden();
});

test("a delivery is found, opened and closed", async ({ page, seedData: _ }) => {
  await openPage(page, "/");
  await page.locator(bar).getByRole("link", { name: "Deliveries" }).tap();
  await expect(page.getByRole("heading", { level: 1, name: "Deliveries" })).toBeVisible();
  // Other tests' failed deliveries may fill the first page of the log.
  await openPage(page, "/webhooks/deliveries?status=delivered");
  const row = page.locator("tr").filter({ hasText: "Delivered" }).first();
  await row.locator("a[data-row-link]").tap();
  // Twice for a delivery that was sent again.
  await expect(page.getByText("Accepted. No further attempts.").first()).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Deliveries" })).toBeVisible();
});

/** Lists with rows that have columns on wider screens. */
const lists = [
  "/predictions",
  "/predictions/shared",
  "/webhooks/deliveries",
  "/webhooks/endpoints",
  "/requests",
  "/uploads",
  "/batches",
  "/batches/:batch",
  "/compare/earlier",
  "/keys",
  "/settings/team",
  "/audit-log",
  "/aliases",
  "/library",
  "/destinations",
  "/destinations/:destination",
  "/notices",
  "/operator/providers",
  "/operator/mapping",
  "/operator/models",
  "/operator/prices",
  "/operator/accounts",
  "/operator/reports",
  "/operator/changes",
] as const;

test("no list scrolls sideways, and a thumb can hit the buttons of its rows", async ({ page, seedData }) => {
  for (const path of lists) {
    await openPage(page, withIds(path, seedData));
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 });
      expect.soft(await widerThanScreen(page), `${path} at ${width} px`).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    expect.soft(await smallTargets(rows(page)), `small targets of ${path}`).toEqual([]);
  }
});

/** Pages on which people run, look, retry, approve and invite. */
const tried = [
  "/catalog",
  "/catalog/svc/img-gen-a-1",
  "/playground/svc/chat-1/chat-completions",
  "/playground/svc/adult-i2v-1/video-generation",
  "/compare?operation=svc/chat-1:chat-completions",
  "/batches/new",
  "/compare/:comparison",
  "/predictions",
  "/predictions?view=gallery",
  "/predictions/:prediction",
  "/webhooks/deliveries/:delivery",
  "/webhooks/endpoints/:endpoint",
  "/attestations",
  "/settings/team",
  "/activity",
  "/status-and-regions",
] as const;

test("a thumb can hit the buttons for running, looking, retrying, approving and inviting, and no content is beside the screen", async ({
  page,
  seedData,
}) => {
  for (const path of tried) {
    await openPage(page, withIds(path, seedData));
    expect.soft(await smallTargets(page.locator("main")), `small targets of ${path}`).toEqual([]);
    expect.soft(await widerThanScreen(page), path).toEqual([]);
  }
  await page.locator(bar).getByRole("button", { name: "More" }).tap();
  const lines = await page
    .locator("#all-pages .rail-row:visible")
    .evaluateAll((all) => all.map((line) => line.getBoundingClientRect().height));
  expect(lines.length).toBeGreaterThan(5);
  expect(Math.min(...lines)).toBeGreaterThanOrEqual(44);
});

test("a row of the delivery log shows the receiver, its answer and the run", async ({ page, seedData }) => {
  await openPage(page, `/webhooks/deliveries?prediction_id=${seedData.prediction}`);
  const row = page.getByRole("row").filter({ has: page.locator(`a[href*="${seedData.delivery}"]`) });
  for (const words of ["/seed", "200", "1 of 8", seedData.prediction.slice(-4)])
    await expect(row.getByText(words).first()).toBeVisible();
  await row.getByRole("button", { name: "Send again" }).tap();
  const dialog = page.getByRole("dialog", { name: "Send this event again?" });
  const box = await dialog.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
  await dialog.getByRole("button", { name: "Cancel" }).tap();
});

/** The buttons and boxes of rows. */
const rows = (page: Page) => page.locator("tbody tr");

/** The page, and the lists in it that do not fit. */
function widerThanScreen(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const regions = [
      ...document.querySelectorAll<HTMLElement>("[role=group]:has(> table > tbody > tr > td[data-label])"),
    ];
    const wide = regions.filter((region) => region.scrollWidth > region.clientWidth);
    const names = wide.map((region) => region.ariaLabel ?? "a table");
    return document.documentElement.scrollWidth > innerWidth ? ["the page", ...names] : names;
  });
}
