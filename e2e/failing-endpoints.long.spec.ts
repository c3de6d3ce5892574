import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { until } from "./seed-data.ts";

/** More endpoints than fit on a page of their list. */
const failingEndpoints = 104;

test("a hundred failing endpoints are one problem: on Home, which fits, and in notices, which retry all", async ({
  page,
  ownerApi,
}) => {
  const ids = await Promise.all(
    Array.from({ length: failingEndpoints }, async (_, index) => {
      const url = `https://host-${index}.nowhere.invalid/hook`;
      return String((await ownerApi.post("/webhooks/endpoints", { url })).id);
    }),
  );
  try {
    await ownerApi.post("/images/generations", {
      model: "svc/img-gen-b",
      prompt: "A pier at dusk",
      quality: "low",
      size: "1024x1024",
      output_format: "png",
    });
    type Groups = { groups: { title: string; notices: number }[] };
    await until(async () => {
      const { groups } = (await ownerApi.get("/notices?unread=true&grouped=true")) as Groups;
      const failing = groups.filter(({ title }) => title.endsWith("endpoints fail: host not found"));
      return failing.some(({ notices }) => notices >= failingEndpoints) || undefined;
    }, 180_000);

    await page.setViewportSize({ width: 1280, height: 800 });
    const problems = page.getByRole("region", { name: "Needs attention" });
    // Four failures in a row are a problem. The last of them arrive a little later.
    await expect(async () => {
      await openPage(page, "/");
      await expect(problems).toContainText(/Check 1\d\d endpoints\./, { timeout: 500 });
    }).toPass();
    expect(await problems.getByRole("listitem").count()).toBeLessThanOrEqual(3);
    const height = () => page.evaluate(() => document.documentElement.scrollHeight);
    expect(await height(), "px of Home on a laptop").toBeLessThanOrEqual(800);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await height(), "px of Home on a phone").toBeLessThanOrEqual(2 * 844);

    await page.setViewportSize({ width: 1280, height: 800 });
    await openPage(page, "/notices");
    const line = page
      .getByRole("list", { name: "Unread causes" })
      .getByRole("listitem")
      .filter({ hasText: /1\d\d endpoints fail: host not found/ });
    await expect(line).toHaveCount(1);
    await expectAccessible(page);
    await line.getByRole("button", { name: /^Retry all/ }).click();
    const dialog = page.getByRole("dialog", { name: "Retry all matching deliveries" });
    await expect(dialog.getByText(/can be retried, of/)).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await line.getByRole("button", { name: /^Mark as read/ }).click();
    await expect(line).toHaveCount(0);
  } finally {
    await Promise.all(ids.map((id) => ownerApi.delete(`/webhooks/endpoints/${id}`)));
  }
});
