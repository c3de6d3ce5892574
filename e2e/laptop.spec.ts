import { expect, test } from "./fixtures.ts";
import { openPage } from "./pages/open-page.ts";

test("the request log fits a small window, and one click from it says why a request failed", async ({
  page,
  ownerApi,
}) => {
  await page.setViewportSize({ width: 900, height: 800 });
  await ownerApi.send("POST", "/models/svc/img-gen-b/predictions", {});
  const refused = async () => (await ownerApi.get("/requests?status_class=4xx")).data;
  const logged = { code: "missing_parameter", route: expect.stringContaining("/predictions") };
  await expect.poll(refused).toContainEqual(expect.objectContaining(logged));
  await openPage(page, "/requests?status_class=4xx");
  const table = page.getByRole("table", { name: "Requests" });
  await expect(table.getByRole("row").nth(1)).toBeVisible();
  const tooWide = await table.evaluate(({ parentElement: region }) =>
    Boolean(region && region.scrollWidth > region.clientWidth),
  );
  expect(tooWide).toBe(false);
  const failed = table.getByRole("row").filter({ hasText: "missing_parameter" }).first();
  await failed.getByRole("link", { name: /predictions/ }).click();
  const why = page.getByRole("region", { name: "Why it failed" });
  await expect(why).toContainText("input must be an object");
  await expect(why.getByRole("link", { name: "Inputs of svc/img-gen-b" })).toBeVisible();
  await expect(page).toHaveTitle(/^POST .*: 400 missing_parameter/);
});
