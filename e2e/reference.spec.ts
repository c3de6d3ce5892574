import { expect, test } from "./fixtures.ts";
import { expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

test("a search finds a route, and the reference sends a read", async ({ page, seedData }) => {
  await openPage(page, "/api-reference?q=prediction");
  const search = page.getByRole("searchbox", { name: "Search routes" });
  await expect(search).toHaveValue("prediction");
  await search.fill("get predictions {id}");
  await expect(page.getByText(/^\d of \d+ routes$/)).toBeVisible();
  const route = page.locator("#getPredictionsId");
  await route.locator("summary").press("Enter");
  await expect(route.getByRole("figure", { name: "Request: Read a prediction" })).toContainText("curl");
  await route.getByRole("button", { name: "Try it" }).press("Enter");
  await expect(route.getByRole("textbox", { name: "id" })).toBeFocused();
  await page.keyboard.type(seedData.prediction);
  await page.keyboard.press("Enter");
  await expect(route.locator("form").getByRole("status").first()).toHaveText(/^200 in .*req_/);
  await expect(route.getByRole("figure", { name: "response", exact: true })).toContainText(
    seedData.prediction,
  );
  await expectAccessibleState(page);
  await page.setViewportSize({ width: 1000, height: 800 });
  await search.fill("alias");
  await page.getByRole("combobox", { name: "Section" }).selectOption("Aliases");
  await expect(page.locator("main").getByRole("heading", { level: 2 })).toHaveText(["Aliases"]);
  await search.fill("no such route");
  await expect(page.getByText("No routes found")).toBeVisible();
});

test("the list of sections follows the reader, and jumps to a section with the keyboard", async ({
  page,
}) => {
  await openPage(page, "/api-reference");
  const sections = page.getByRole("navigation", { name: "Sections" });
  const current = sections.locator("[aria-current=location]");
  await expect(current).toHaveText("Catalog");
  await sections.getByRole("link", { name: "Webhooks" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Webhooks", exact: true })).toBeInViewport();
  await expect(current).toHaveText("Webhooks");
  await page.locator("#postWebhooksEndpoints").scrollIntoViewIfNeeded();
  await page.getByRole("heading", { name: "Service", exact: true }).scrollIntoViewIfNeeded();
  await page.keyboard.press("End");
  await expect(current).not.toHaveText("Webhooks");
  await expect(current).toBeInViewport();
});

test("the page is sent without the details of its routes", async ({ request }) => {
  const page = await (await request.get("/api-reference")).body();
  expect(page.length).toBeLessThan(520_000);
});

test("the route in the address is open; after a failure it is loaded again", async ({ page }) => {
  await openPage(page, "/api-reference#getWebhooksDeliveriesId");
  const route = page.locator("#getWebhooksDeliveriesId");
  await expect(route.getByRole("figure", { name: /^Request: / })).toBeInViewport();
  await page.evaluate(() => {
    location.hash = "getAliases";
  });
  const other = page.locator("#getAliases");
  await expect(other.getByRole("heading", { name: "Responses" })).toBeVisible();
  await expect(other.locator("summary")).toBeInViewport();

  await page.route("**/api-reference", (answer) => answer.abort());
  const third = page.locator("#postAliases");
  await third.locator("summary").click();
  await expect(third.getByRole("alert")).toBeVisible();
  await page.unroute("**/api-reference");
  await third.getByRole("button", { name: "Try again" }).click();
  await expect(third.getByRole("figure", { name: /^Request: / })).toContainText("curl");
  await expect(third.getByRole("alert")).toHaveCount(0);
});
