import { startIdentityProvider } from "../gateway/testing/identity-provider.ts";
import { makeAccount } from "./command-line.ts";
import { expect, signedOut, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { isAlive } from "./pages/open-page.ts";
import { signIn } from "./pages/sign-in.ts";
import type { Stack } from "./stack.ts";

test.use(signedOut);

const startProvider = ({ consoleUrl, gatewayUrl, identityProviderPort }: Stack) =>
  startIdentityProvider(
    () => ({
      redirectUri: `${consoleUrl}/sign-in/callback`,
      logoutUri: `${gatewayUrl}/account/oidc/logout`,
    }),
    identityProviderPort,
  );

test("a person signs in with the provider's button, and the provider's logout ends the open page", async ({
  page,
  stack,
}) => {
  const { consoleUrl } = stack;
  const provider = await startProvider(stack);
  try {
    provider.people.set("ada", { email: "ada@example.com", email_verified: true, name: "Ada" });
    provider.current = "ada";
    await page.goto(`${consoleUrl}/sign-in?from=%2Fpredictions`);
    await page.getByRole("link", { name: "Sign in with Company login" }).click();
    await page.waitForURL(`${consoleUrl}/predictions`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Predictions");

    await provider.logOut("ada", provider.lastSession());
    await expect(page.getByText("Your session has ended.")).toBeVisible();
    await page.reload();
    await expect(page).toHaveURL(/\/sign-in\?.*reason=ended/);

    // An answer that this browser did not request.
    await page.goto(`${consoleUrl}/sign-in/callback?code=stolen&state=of-somebody-else`);
    await expect(page.getByRole("alert").filter({ hasText: "Start again" })).toBeVisible();
  } finally {
    await provider.close();
  }
});

test("an owner links the provider in the profile, and makes it the only way to sign in", async ({
  page,
  stack,
}) => {
  const owner = { email: "linking@example.com", password: "gatehouse-e2e-linking" };
  await makeAccount(stack, owner);
  const provider = await startProvider(stack);
  try {
    provider.people.set("lin", { email: "lin@elsewhere.example", email_verified: true, name: "Lin" });
    provider.current = "lin";
    await signIn(page, { ...stack, owner }, "/settings/profile");
    await page.getByRole("link", { name: "Link Company login" }).click();
    await expect(page.getByRole("button", { name: "Unlink" })).toBeVisible();
    // While the page streams, a hidden copy of its parts can still be outside its main part.
    await expect(page.getByRole("main").getByText("lin@elsewhere.example")).toBeVisible();
    await expectAccessible(page);

    // When somebody has signed in that way, it can become the rule, which refuses sessions of a password.
    await page.context().clearCookies();
    await page.goto(`${stack.consoleUrl}/sign-in?from=%2Fsettings`);
    await page.getByRole("link", { name: "Sign in with Company login" }).click();
    await expect(page).toHaveURL(/\/settings$/);
    await isAlive(page);
    await page.getByText("Sign in only with Company login").click();
    await page.getByRole("button", { name: "Only Company login" }).click();
    await expect(
      page.getByText("Sessions that were opened with a password or passkey cannot use this account"),
    ).toBeVisible();
    await expectAccessible(page);
    await page.context().clearCookies();
    await page.goto(`${stack.consoleUrl}/sign-in`);
    await page.getByRole("textbox", { name: "E-mail" }).fill(owner.email);
    await page.getByLabel(/^Password/).fill(owner.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("alert").first()).toBeVisible();
    await expect(page).toHaveURL(/\/sign-in/);
  } finally {
    await provider.close();
  }
});

test("a person accepts an invitation with the provider's button", async ({ page, stack }) => {
  const inviter = { email: "inviting@example.com", password: "gatehouse-e2e-inviting" };
  await makeAccount(stack, inviter);
  const provider = await startProvider(stack);
  try {
    const link = await invitationOf(stack, inviter, "joan@example.com");
    provider.people.set("joan", { email: "joan@example.com", email_verified: true, name: "Joan" });
    provider.current = "joan";
    await page.goto(link);
    const join = page.getByRole("button", { name: "Join with Company login" });
    await expect(join).toBeVisible();
    await expectAccessible(page);
    await join.click();
    await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
    await page.goto(`${stack.consoleUrl}/settings/profile`);
    await expect(page.getByRole("main").getByText("joan@example.com").first()).toBeVisible();
    await expect(page.getByRole("main").getByText("verified", { exact: true })).toBeVisible();
  } finally {
    await provider.close();
  }
});

/** The link that an owner would copy. */
async function invitationOf(
  { gatewayUrl }: Stack,
  owner: { email: string; password: string },
  email: string,
): Promise<string> {
  const post = async (path: string, body: object, token?: string) => {
    const answer = await fetch(gatewayUrl + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, string>;
  };
  const { token } = await post("/account/sessions", owner);
  const { url } = await post("/account/invitations", { email, role: "member" }, token);
  return String(url);
}
