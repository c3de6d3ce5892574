import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

const isPreview = ({ pathname }: URL) => pathname.includes("/v1/previews/");

test("a list shows small pictures and loads no whole file", async ({ page, seedData }) => {
  const whole: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/v1/files/")) whole.push(request.url());
  });
  await openPage(page, "/predictions?search=estuary");
  const row = page.getByRole("row").filter({ has: page.locator(`a[href*="${seedData.prediction}"]`) });
  const picture = row.locator('img[src*="/v1/previews/"]');
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  expect(whole).toEqual([]);
  await expectAccessible(page);
});

test("a file without a preview has an icon", async ({ page, seedData }) => {
  await page.route(isPreview, (route) => route.fulfill({ status: 404, json: {} }));
  await openPage(page, "/predictions?search=estuary");
  const row = page.getByRole("row").filter({ has: page.locator(`a[href*="${seedData.prediction}"]`) });
  await expect(row).toBeVisible();
  await expect(row.locator("img")).toHaveCount(0);
});
