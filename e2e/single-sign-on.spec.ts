import { startIdentityProvider } from "../gateway/testing/identity-provider.ts";
import { expect, signedOut, test } from "./fixtures.ts";

test.use(signedOut);

test("signing in with the provider's button; the provider's logout ends the open page", async ({
  page,
  stack,
}) => {
  const { consoleUrl, gatewayUrl, identityProviderPort } = stack;
  const provider = await startIdentityProvider(
    () => ({
      redirectUri: `${consoleUrl}/sign-in/callback`,
      logoutUri: `${gatewayUrl}/account/oidc/logout`,
    }),
    identityProviderPort,
  );
  try {
    provider.people.set("ada", { email: "ada@example.com", email_verified: true, name: "Ada" });
    provider.current = "ada";
    await page.goto(`${consoleUrl}/sign-in?from=%2Fpredictions`);
    await page.getByRole("link", { name: "Sign in with Company login" }).click();
    await page.waitForURL(`${consoleUrl}/predictions`);
    await expect(page.locator("h1")).toHaveText("Predictions");

    await provider.logOut("ada", provider.lastSession());
    await expect(page.getByText("Your session has expired.")).toBeVisible();
    await page.reload();
    await expect(page).toHaveURL(/\/sign-in\?.*reason=ended/);

    // An answer that this browser did not ask for.
    await page.goto(`${consoleUrl}/sign-in/callback?code=stolen&state=of-somebody-else`);
    await expect(page.getByRole("alert").filter({ hasText: "Start again" })).toBeVisible();
  } finally {
    await provider.close();
  }
});
