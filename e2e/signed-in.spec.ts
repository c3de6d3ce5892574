import { expect, signedOut, test } from "./fixtures.ts";
import { openPage } from "./pages/open-page.ts";

test("the owner is signed in and sees the catalog", async ({ page }) => {
  await page.goto("/");
  await expect(page).not.toHaveURL(/sign-in/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("an account key of the owner lists the models", async ({ stack, gatewayKey }) => {
  const answer = await fetch(`${stack.gatewayUrl}/account`, {
    headers: { authorization: `Bearer ${gatewayKey}` },
  });
  expect(answer.status).toBe(200);
});

test("a bookmark of a filtered list from an earlier release opens with its filters", async ({ page }) => {
  await openPage(page, "/predictions?period=24h&region=us-virginia&status=failed");
  await expect(page).toHaveURL(/since=24h/);
  await expect(page.getByLabel("Region")).toHaveValue("us-virginia");
  await expect(page.getByLabel("Time")).toHaveValue("24h");
  await page
    .getByRole("button", { name: /^Clear/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/predictions$/);
  await page.goBack();
  await expect(page.getByLabel("Region")).toHaveValue("us-virginia");
});

test.describe("a signed-out visitor", () => {
  test.use(signedOut);
  test("is sent from a page of the console to the sign-in page", async ({ page }) => {
    await page.goto("/predictions");
    await expect(page).toHaveURL(/\/sign-in/);
  });
});
