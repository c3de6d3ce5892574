import { expect, signedOut, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { complaintsOf } from "./pages/complaints.ts";

test.use(signedOut);

test("the documentation is read and searched without an account, and by programs", async ({
  page,
  context,
  stack,
}) => {
  const complaints = await complaintsOf(context, page);
  await page.goto("/public/help");
  await page.getByRole("link", { name: "Budgets", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Budgets" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("searchbox", { name: "Words" }).fill("prepaid accounts");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Budgets: Prepaid accounts" }).click();
  await expect(page).toHaveURL(/\/public\/help\/budgets#prepaid-accounts$/);
  await expect(page.getByRole("heading", { name: "Prepaid accounts" })).toBeInViewport();
  expect(complaints).toEqual([]);

  const list = await (await page.request.get("/llms.txt")).text();
  const address = `${stack.consoleUrl}/public/help-markdown/budgets.md`;
  expect(list).toContain(`- [Budgets](${address}): stop spending before it happens`);
  const chapter = await page.request.get(address);
  expect(chapter.headers()["content-type"]).toBe("text/markdown; charset=utf-8");
  expect(await chapter.text()).toMatch(/^# Budgets\n/);
  expect((await page.request.get("/public/help/nothing")).status()).toBe(404);
  expect((await page.request.get("/public/help-markdown/..%2Fpackage.json")).status()).toBe(404);
});
