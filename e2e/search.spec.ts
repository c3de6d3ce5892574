import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

const openPalette = async (page: Page) => {
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search or go to" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  return palette;
};

test("an endpoint is found by its description, and is listed again as recently opened", async ({
  page,
  ownerApi,
}) => {
  const { id } = await ownerApi.post("/webhooks/endpoints", {
    url: "https://hooks.example.com/lantern",
    description: "Lantern orders",
  });
  await ownerApi.post("/keys", { name: "lantern backend", scopes: ["inference"] });
  await openPage(page, "/predictions");
  const palette = await openPalette(page);
  await page.keyboard.type("orders LANT");
  await expect(palette.getByRole("group", { name: "Endpoints" })).toBeVisible();
  await expect(palette.getByRole("option", { name: /^Lantern orders/ })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await expect(palette.getByRole("status")).toHaveText("1 result.");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/webhooks/endpoints/${id}$`));

  await openPage(page, "/keys");
  await openPalette(page);
  const last = palette.getByRole("group", { name: "Recently opened" });
  await expect(last.getByRole("option", { name: /^Lantern orders/ })).toBeVisible();
  // Recently used pages come first.
  await expect(palette.getByRole("group", { name: "Pages" }).getByRole("option").nth(1)).toHaveText(
    "Predictions",
  );

  await page.keyboard.type("lantern");
  await expect(palette.getByRole("option", { name: /^lantern backend.*unused/ })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(palette.getByRole("option", { name: /^lantern backend/ })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.type(" unheard of");
  await expect(palette.getByRole("status")).toHaveText("Nothing matches all of these words.");
});

test("a prediction is found by a word of its prompt", async ({ page, seedData }) => {
  await openPage(page, "/");
  const palette = await openPalette(page);
  await page.keyboard.type("reeds heron");
  await palette
    .getByRole("option", { name: /A heron waits between the reeds/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/predictions\/pred_/);

  await openPage(page, "/predictions");
  const field = page.getByRole("searchbox", { name: "Words in prompts" });
  await field.fill("ESTUARY");
  await field.press("Enter");
  await expect(page).toHaveURL(/search=ESTUARY/);
  await expect(page.locator(`a[href*="${seedData.prediction}"]`).first()).toBeVisible();
  await expect(page.getByText(/^\d+ predictions?$/).last()).toBeVisible();
  await field.fill("nowhere");
  await field.press("Enter");
  await expect(page.getByText("No predictions match these filters")).toBeVisible();
});

test("a comparison is found under Compare, and opens without a redirect", async ({ page, seedData }) => {
  await openPage(page, "/keys");
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  const palette = await openPalette(page);
  await page.keyboard.type("herons compared");
  const group = palette.getByRole("group", { name: "Compare", exact: true });
  await expect(group).toBeVisible();
  await group.getByRole("option").first().click();
  await expect(page).toHaveURL(new RegExp(`/compare/${seedData.comparison}$`));
  expect(paths.filter((path) => path.includes("/batches/") && !path.startsWith("/api/"))).toEqual([]);
});

test("an answer that comes too late is dropped, and pages are found without the gateway", async ({
  page,
}) => {
  await openPage(page, "/");
  await page.route("**/api/gateway/search*", async (route) => {
    if (!route.request().url().includes("q=slow")) return route.abort();
    return route.fulfill({
      json: {
        object: "search",
        partial: ["prediction"],
        groups: [
          {
            kind: "batch",
            has_more: false,
            data: [
              { id: "batch_1", kind: "batch", name: "Slow batch", about: null, state: "failed", at: null },
            ],
          },
        ],
      },
    });
  });
  const palette = await openPalette(page);
  await page.keyboard.type("slow");
  await expect(palette.getByRole("option", { name: /Slow batch/ })).toBeVisible();
  await expect(palette.getByRole("status")).toHaveText(
    "1 result. These took too long to search: predictions.",
  );
  await palette.getByRole("combobox").fill("deliveries");
  await expect(palette.getByRole("option", { name: "Deliveries", exact: true })).toBeVisible();
  await expect(palette.getByRole("alert")).toContainText("Only pages and guides could be searched");
  await expect(palette.getByRole("option", { name: /Slow batch/ })).toHaveCount(0);
});

test("Ctrl K does things: a dialog of another page and of this page, and the theme", async ({ page }) => {
  await openPage(page, "/predictions");
  const palette = await openPalette(page);
  await page.keyboard.type("new key");
  await expect(palette.getByRole("option", { selected: true })).toHaveText("Create key");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Create key" });
  await expect(dialog).toBeVisible();
  await expect(page).toHaveURL(/\/keys$/);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  await openPalette(page);
  await page.keyboard.type("create");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeVisible();
  await expect(page).toHaveURL(/\/keys$/);
  await page.keyboard.press("Escape");

  await openPalette(page);
  await page.keyboard.type("dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(palette).toBeHidden();
});

test("a time can be entered in words", async ({ page }) => {
  await openPage(page, "/webhooks/deliveries");
  const time = page.getByLabel("Time", { exact: true });
  await time.selectOption("Other time…");
  const dialog = page.getByRole("dialog", { name: "Time" });
  await dialog.getByRole("textbox", { name: "In words" }).fill("last Tuesday 14:00 to 15:00");
  await expect(dialog.getByRole("status")).toHaveText(/^Tue, \d+ \w+ \d{4}, 14:00 – 15:00 \(.+\)$/);
  await expect(dialog.getByLabel("From")).toHaveValue(/T14:00$/);
  await expectAccessible(page);
  await dialog.getByRole("textbox", { name: "In words" }).fill("some day");
  await expect(dialog.getByRole("status")).toContainText("Not understood");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Last week" }).click();
  await dialog.getByRole("button", { name: "Set" }).click();
  await expect(page).toHaveURL(/created_after=\d{4}-.+&created_before=\d{4}-/);

  await time.selectOption("Yesterday");
  await expect(time.locator("option:checked")).toHaveText(/^\d+ \w+$/);
});

test("Ctrl K opens a member and an alias in their lists, which can be searched by words", async ({
  page,
  ownerApi,
}) => {
  const names = ["tide-1", "tide-2", "ebb-1", "ebb-2", "flow-1", "flow-2"];
  const made = await Promise.all(
    names.map((name) => ownerApi.post("/aliases", { name, models: ["svc/chat-1"] })),
  );
  try {
    await openPage(page, "/");
    const palette = await openPalette(page);
    await page.keyboard.type("tide-2");
    await palette.getByRole("option", { name: /^tide-2/ }).click();
    await expect(page).toHaveURL(/\/aliases\?search=als_/);
    const rows = page.getByRole("table", { name: "Aliases" }).getByRole("row");
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText("tide-2");
    const field = page.getByRole("searchbox", { name: "Words in aliases" });
    await field.fill("ebb");
    await field.press("Enter");
    await expect(rows).toHaveCount(3);
    await expectAccessible(page);
    await field.fill("no such alias");
    await field.press("Enter");
    await page.getByRole("button", { name: "Show all aliases" }).click();
    await expect(page.getByRole("row").filter({ hasText: "flow-2" })).toBeVisible();
  } finally {
    await Promise.all(made.map(({ id }) => ownerApi.delete(`/aliases/${id}`)));
  }

  const { user } = (await ownerApi.get("/account")) as { user: { name: string } };
  const palette = await openPalette(page);
  await page.keyboard.type(user.name);
  await palette.getByRole("group", { name: "Members" }).getByRole("option").first().click();
  await expect(page).toHaveURL(/\/settings\/team\?search=usr_/);
  await expect(page.getByRole("table", { name: "Members" }).getByRole("row")).toHaveCount(2);
});
