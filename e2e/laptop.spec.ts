import { expect, test } from "./fixtures.ts";
import { everyPage } from "./pages/every-page.ts";
import { openPage } from "./pages/open-page.ts";

test.use({ viewport: { width: 1280, height: 800 } });

test("on a laptop every table shows all of its columns, with their buttons", async ({ page, seedData }) => {
  test.setTimeout(120_000);
  const cut: string[] = [];
  for (const { name, path } of everyPage(seedData)) {
    await openPage(page, path);
    const labels = await page.getByRole("table").evaluateAll((tables) =>
      tables.flatMap((table) => {
        const region = table.parentElement;
        return region && region.scrollWidth > region.clientWidth ? [String(table.ariaLabel)] : [];
      }),
    );
    cut.push(...labels.map((label) => `${name}: ${label}`));
  }
  expect(cut).toEqual([]);
});

test("the request log needs no sideways scroll on a small window either", async ({ page, ownerApi }) => {
  await page.setViewportSize({ width: 900, height: 800 });
  await ownerApi.send("POST", "/models/svc/img-gen-b/predictions", {});
  await openPage(page, "/requests?status_class=4xx");
  const table = page.getByRole("table", { name: "Requests" });
  await expect(table.getByRole("row").nth(1)).toBeVisible();
  const tooWide = await table.evaluate(({ parentElement: region }) =>
    Boolean(region && region.scrollWidth > region.clientWidth),
  );
  expect(tooWide).toBe(false);
});
