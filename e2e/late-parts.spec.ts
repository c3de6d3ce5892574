import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { withoutSessionStream } from "./pages/open-page.ts";

/** Clicks while the network holds back the script that the click needs, until `release`. */
async function clickOnASlowNetwork(page: Page, target: Locator): Promise<() => void> {
  await withoutSessionStream(page);
  await page.reload({ waitUntil: "networkidle" });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const scripts = /\/_next\/static\/.*\.js/;
  await page.route(scripts, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(scripts);
  await target.click();
  await asked;
  return release;
}

test("a row is ticked at once, while its buttons still load", async ({ page, seedData }) => {
  await page.goto(`/webhooks/deliveries?endpoint_id=${seedData.endpoint}`);
  const box = page.getByRole("row").nth(1).getByRole("checkbox");
  const release = await clickOnASlowNetwork(page, box);
  await expect(box).toBeChecked();
  await expect(box).toBeFocused();
  release();
  await expect(page.getByText("1 delivery selected")).toBeVisible();
  await expect(box).toBeFocused();
});

test("a tab changes at once, while its content still loads", async ({ page, seedData }) => {
  await page.goto(`/predictions/${seedData.prediction}`);
  const tab = page.getByRole("tab", { name: "Raw JSON" });
  const release = await clickOnASlowNetwork(page, tab);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(tab).toHaveAttribute("aria-selected", "true");
  await expect(tab).toBeFocused();
  release();
  await expect(page.getByRole("tabpanel").getByText(seedData.prediction).first()).toBeVisible();
});
