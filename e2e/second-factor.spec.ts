import type { CDPSession, Page } from "@playwright/test";
import { totpCode } from "../gateway/access/accounts/second-factor/totp.ts";
import { expect, signedOut, test } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { expectAccessible } from "./pages/axe.ts";
import { complaintsOf } from "./pages/complaints.ts";
import { isAlive, openPage } from "./pages/open-page.ts";
import { fillSignIn } from "./pages/sign-in.ts";
import type { Stack } from "./stack.ts";

test.use(signedOut);
const stepMs = 30_000;

/** A new person, so that the owner of other tests still signs in with only a password. */
async function newOwner(ownerApi: GatewayApi, { gatewayUrl }: Stack) {
  const person = { email: `second-${Date.now()}@example.com`, password: "four plain words here" };
  const { token } = await ownerApi.post("/account/invitations", { email: person.email, role: "owner" });
  const accept = { token, name: "Sam", password: person.password };
  await new GatewayApi(gatewayUrl, "").post("/account/invitations/accept", accept);
  return person;
}

/** An authenticator in the browser. It confirms automatically, but only while `present`. */
async function addAuthenticator(page: Page) {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return (enabled: boolean) =>
    cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
}

async function signOut(page: Page): Promise<void> {
  await isAlive(page);
  await page.getByRole("button", { name: "Profile and settings" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/sign-in/);
}

test("passkey, authenticator app and recovery code are set up and sign in; an owner requires them", async ({
  page,
  context,
  browser,
  ownerApi,
  ownerState,
  stack,
}) => {
  const complaints = await complaintsOf(context, page);
  const person = await newOwner(ownerApi, stack);
  const present = await addAuthenticator(page);
  await openPage(page, "/sign-in?from=/settings/profile");
  await expectAccessible(page);
  await fillSignIn(page, person);

  await page.getByRole("button", { name: "Add passkey" }).click();
  const adding = page.getByRole("dialog", { name: "Add a passkey" });
  await adding.getByRole("textbox", { name: "Name" }).fill("Work laptop");
  await adding.getByRole("button", { name: "Add passkey" }).click();
  const storing = page.getByRole("dialog", { name: "Store your recovery codes now" });
  const items = storing.getByRole("listitem");
  await expect(items).toHaveCount(10);
  const codes = await items.allTextContents();
  await expectAccessible(page);
  await storing.getByRole("checkbox").check();
  await storing.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("row", { name: /Work laptop/ })).toBeVisible();

  await page.getByRole("button", { name: "Set up app" }).click();
  await page.getByRole("button", { name: "Show QR code" }).click();
  const confirming = page.getByRole("dialog", { name: "Scan this with the app" });
  await expect(confirming.getByRole("img", { name: /QR code/ })).toBeVisible();
  const secret = String(await confirming.getByRole("code").textContent()).replaceAll(" ", "");
  await expectAccessible(page);
  await confirming.getByRole("textbox", { name: "Code" }).fill(totpCode(secret, Date.now()));
  await confirming.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("button", { name: "Remove app" })).toBeVisible();
  await expectAccessible(page);
  const html = await page.content();
  for (const kept of [secret, ...codes]) expect(html).not.toContain(kept);

  // Otherwise the sign-in page would find the passkey automatically.
  await present(false);
  await signOut(page);
  await fillFirstStep(page, person);
  const code = page.getByRole("textbox", { name: "Code" });
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("autocomplete", "one-time-code");
  await expectAccessible(page);
  await code.fill("000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "wrong" })).toBeVisible();
  // The next code: the one that confirmed the app is not accepted twice.
  await code.fill(totpCode(secret, Date.now() + stepMs));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL((url) => url.pathname === "/");

  await signOut(page);
  await fillFirstStep(page, person);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByRole("textbox", { name: "Recovery code" }).fill(codes[0] ?? "");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL((url) => url.pathname === "/");

  await signOut(page);
  // Simulates a browser that offers no passkeys in the field, because the page might otherwise sign in before
  // the click.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
  await openPage(page, "/sign-in");
  await present(true);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL((url) => url.pathname === "/");

  try {
    await openPage(page, "/settings");
    await page.getByText("Require a second factor of every member").click();
    await page.getByRole("button", { name: "Require it in a week" }).click();
    await expect(page.getByText(/Members without one must set one up from/)).toBeVisible();
    const other = await browser.newContext({ storageState: ownerState, baseURL: stack.consoleUrl });
    const otherPage = await other.newPage();
    await openPage(otherPage, "/keys");
    await expect(otherPage.getByText(/requires a second factor from/)).toBeVisible();
    await expectAccessible(otherPage);
    await other.close();
  } finally {
    await ownerApi.patch("/account", { second_factor_required: false });
  }
  // Expected messages: the wrong code, the password that was not enough, and a page that was left before its
  // font loaded.
  expect(complaints.filter((text) => !/401|preloaded using link preload/.test(text))).toEqual([]);
});

async function fillFirstStep(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.getByRole("textbox", { name: "E-mail" }).fill(person.email);
  await page.getByLabel(/^Password/).fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
