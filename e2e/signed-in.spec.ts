import { expect, signedOut, test } from "./fixtures.ts";

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

test.describe("signed out", () => {
  test.use(signedOut);
  test("a page of the console leads to the sign-in page", async ({ page }) => {
    await page.goto("/predictions");
    await expect(page).toHaveURL(/\/sign-in/);
  });
});
