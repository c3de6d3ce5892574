import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { isAlive, openPage } from "./pages/open-page.ts";

const tile = (page: Page) => page.getByRole("gridcell").getByRole("button");
const focusedTile = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("data-tile"));

test("the gallery can be navigated, opened, compared and filtered by keys", async ({
  page,
  ownerApi,
  seedData: _,
}) => {
  await ownerApi.post("/images/generations", {
    model: "svc/img-gen-a-1",
    prompt: "four boats",
    size: "256x256",
    n: 4,
  });
  await openPage(page, "/predictions?since=24h");
  await page.getByRole("link", { name: "Gallery" }).click();
  await expect(page).toHaveURL(/\/predictions\?view=gallery&since=24h/);
  const grid = page.getByRole("grid", { name: "Files" });
  await expect(tile(page).first()).toHaveAccessibleName(/^Image by svc\/img-gen-a-1, /);
  await expectAccessible(page);

  await tile(page).first().focus();
  const first = await focusedTile(page);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => focusedTile(page)).not.toBe(first);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => focusedTile(page)).toBe(first);
  await page.keyboard.press("Space");
  const viewer = page.getByRole("dialog", { name: /^Image by/ });
  await expect(viewer).toBeVisible();
  await expect(viewer.getByText("its input is not stored")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(viewer).toBeHidden();
  await expect.poll(() => focusedTile(page)).toBe(first);

  // Two files are selected by keys, kept together, and their pictures compared.
  const bar = page.getByRole("region", { name: "Selected files" });
  await page.keyboard.press("x");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+X");
  await expect(bar.getByRole("status")).toHaveText("2 selected");
  await expectAccessible(page);
  await bar.getByRole("button", { name: "Keep" }).click();
  await expect(page.getByText("2 files are in the library")).toBeVisible();
  await expect(grid.getByRole("img", { name: "In the library" })).toHaveCount(2);
  const saved = page.waitForEvent("download");
  await bar.getByRole("button", { name: "Download" }).click();
  expect((await saved).suggestedFilename()).toBe("2-files.zip");
  await bar.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("slider", { name: "Compare" })).toBeVisible();
  await page.keyboard.press("Escape");
  await bar.getByRole("button", { name: "Clear selection" }).click();
  await expect(bar).toBeHidden();
  await tile(page).first().focus();
  // A sync run has no stored input to run again.
  await page.keyboard.press("r");
  await expect(page.getByText("its input is not stored")).toBeVisible();

  // The address contains the filters.
  await page.getByRole("combobox", { name: "Model" }).selectOption("svc/img-gen-b");
  await expect(page).toHaveURL(/view=gallery&model=svc%2Fimg-gen-b&since=24h/);
  await expect(tile(page).first()).toHaveAccessibleName(/^Image by svc\/img-gen-b, /);
  await tile(page).first().focus();
  await page.keyboard.press("End");
  await page.keyboard.press("x");
  await expect(grid.locator("[aria-selected=true]").first()).toBeVisible();
  await expect(bar).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(bar).toBeHidden();

  // The prediction runs again, and its new tile is added at the front without moving the visible ones.
  await page.keyboard.press("r");
  await expect(page.getByText("svc/img-gen-b runs again with the same input.")).toBeVisible();
  await page.getByRole("button", { name: /new$/ }).click({ timeout: 60_000 });
  await expect(page.getByRole("button", { name: /new$/ })).toBeHidden();

  // Opens the prediction of a tile, and returns to the tile.
  await tile(page).last().focus();
  const left = await focusedTile(page);
  await page.keyboard.press("Enter");
  await viewer.getByRole("link", { name: "Open prediction" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "svc/img-gen-b" })).toBeVisible();
  await isAlive(page);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/view=gallery&model=/);
  await expect.poll(() => focusedTile(page)).toBe(left);

  await page.getByRole("link", { name: "List" }).click();
  await expect(page).toHaveURL(/\/predictions\?model=svc%2Fimg-gen-b&since=24h/);
  await expect(page.getByRole("table")).toBeVisible();
});

test.describe("without reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "no-preference" } });

  test("a sound plays at its tile, and a filter can match nothing", async ({ page, ownerApi }) => {
    const speech = {
      model: "svc/tts-b-1",
      api_type: "text-to-speech",
      rows: [{ input: "hello", voice: "Cherry" }],
    };
    await ownerApi.post("/batches", speech);
    await openPage(page, "/predictions?view=gallery&kind=audio");
    const sound = page.getByRole("button", { name: /^Sound by svc\/tts-b-1/ }).first();
    await sound.click({ timeout: 30_000 });
    const player = page.getByRole("dialog", { name: /^Sound by/ });
    await expect(player.getByRole("button", { name: /^(Play|Pause) Sound/ })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.mouse.move(0, 0);
    await sound.hover();
    await expect(page.locator("[role=gridcell] audio")).toHaveCount(1);
    await page.mouse.move(0, 0);
    await expect(page.locator("[role=gridcell] audio")).toHaveCount(0);
    await openPage(page, "/predictions?view=gallery&metadata=customer%3Dnobody");
    await expect(page.getByRole("heading", { name: "No files match these filters" })).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(tile(page).first()).toBeVisible();
  });
});

test("on a phone two tiles fit side by side", async ({ page, seedData: _ }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, "/predictions?view=gallery");
  await expect(page.getByRole("grid")).toHaveAttribute("aria-colcount", "2");
  await tile(page).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
});
