import { expect, test } from "./fixtures.ts";
import { openPage } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** Navigation is only in the bar at the bottom. */
const bar = "nav[aria-label=Pages]:visible";

test("use the bar to open a model, run it, read the answer", async ({ page }) => {
  await openPage(page, "/");
  await page.locator(bar).getByRole("link", { name: "Catalog" }).tap();
  await page.getByRole("link", { name: "svc/chat-1", exact: true }).tap();
  await expect(page.getByRole("heading", { level: 1, name: "svc/chat-1" })).toBeVisible();
  await page.getByRole("link", { name: "Open in the playground" }).tap();
  await page.getByRole("textbox", { name: "Content of message 2" }).fill("Say the word heliotrope.");
  const playground = new Playground(page);
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

test("a delivery is found, opened and closed", async ({ page, seedData }) => {
  await openPage(page, "/");
  await page.locator(bar).getByRole("link", { name: "Deliveries" }).tap();
  await page.locator(`a[data-row-link][href*="${seedData.delivery}"]`).tap();
  await expect(page.getByText("Accepted. No further attempts.")).toBeVisible();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Deliveries" })).toBeVisible();
});
