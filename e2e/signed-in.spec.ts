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

test("a test event arrives at an HTTPS receiver", async ({ stack, gatewayKey, receiver }) => {
  const post = (path: string, body: unknown) =>
    fetch(`${stack.gatewayUrl}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${gatewayKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const endpoint = (await (await post("/webhooks/endpoints", { url: `${receiver.url}/hook` })).json()) as {
    id: string;
  };
  await post(`/webhooks/endpoints/${endpoint.id}/test`, {});
  const event = await receiver.next((one) => one.path === "/hook");
  expect(JSON.parse(event.body)).toMatchObject({ type: "endpoint.test" });
});

test.describe("signed out", () => {
  test.use(signedOut);
  test("a page of the console leads to the sign-in page", async ({ page }) => {
    await page.goto("/predictions");
    await expect(page).toHaveURL(/\/sign-in/);
  });
});
