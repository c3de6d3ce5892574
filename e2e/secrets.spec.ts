import { expect, signedOut, test } from "./fixtures.ts";
import { credentialShapes, holdsCredential, keptInPage } from "./pages/credentials.ts";
import { openPage } from "./pages/open-page.ts";
import { SecretDialog } from "./pages/secret-dialog.ts";
import { signIn, signInWithKey } from "./pages/sign-in.ts";
import { Traffic } from "./pages/traffic.ts";

test.use(signedOut);

test("signing in leaves no credential in a page, an answer or an address", async ({
  page,
  context,
  stack,
}) => {
  const traffic = new Traffic(context);
  await signIn(page, stack);
  await openPage(page, "/");
  await traffic.settled();
  expect(holdsCredential(await keptInPage(page))).toBe(false);
  const exchanges = await traffic.exchanges();
  expect(exchanges.some(({ text }) => text.includes("<!DOCTYPE html>"))).toBe(true);
  expect(exchanges.filter(({ text }) => holdsCredential(text)).map(({ url }) => url)).toEqual([]);
  const betrays = (url: string) => holdsCredential(url) || url.includes(stack.owner.password);
  expect(traffic.urls.filter(betrays)).toEqual([]);
});

// every-page.spec.ts checks the server's HTML of the other pages in such a session.
test("the account key of a sign-in is stored only in the encrypted cookie", async ({
  page,
  context,
  stack,
  gatewayKey,
}) => {
  const traffic = new Traffic(context);
  await signInWithKey(page, stack.consoleUrl, gatewayKey);
  for (const path of ["/", "/keys", "/settings/connections", "/playground/svc/chat-1/chat-completions"]) {
    await openPage(page, path);
    await traffic.settled();
    expect((await keptInPage(page)).includes(gatewayKey), path).toBe(false);
  }
  const exchanges = await traffic.exchanges();
  expect(exchanges.filter(({ text }) => text.includes(gatewayKey)).map(({ url }) => url)).toEqual([]);
  expect(traffic.urls.filter((url) => url.includes(gatewayKey))).toEqual([]);
  for (const cookie of await context.cookies()) {
    expect(cookie.value.includes(gatewayKey)).toBe(false);
    if (/session-token/.test(cookie.name)) expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });
  }
  expect(await page.evaluate(() => document.cookie)).not.toContain("session-token");
});

test("a new webhook secret and a new key are each in one answer, and nowhere afterwards", async ({
  page,
  context,
  stack,
  receiver,
}) => {
  await signIn(page, stack, "/webhooks/endpoints");
  const traffic = new Traffic(context);
  await openPage(page, "/webhooks/endpoints");
  await page.getByRole("button", { name: "Add endpoint" }).first().click();
  const form = page.getByRole("dialog", { name: "Add endpoint" });
  await form.getByRole("textbox", { name: "URL" }).fill(`${receiver.url}/secret`);
  await form.getByRole("button", { name: "Add endpoint" }).click();
  const webhookSecret = await new SecretDialog(page, "signing secret").takeAndClose();
  await traffic.settled();
  expect(webhookSecret).toMatch(credentialShapes.webhookSecret);

  await openPage(page, "/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("made in the browser");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Create key/ })
    .click();
  const accountKey = await new SecretDialog(page, "account key").takeAndClose();
  await traffic.settled();
  expect(accountKey).toMatch(credentialShapes.accountKey);

  for (const path of ["/webhooks/endpoints", "/keys", "/audit-log", "/requests"]) {
    await openPage(page, path);
    const kept = await keptInPage(page);
    expect(kept.includes(webhookSecret) || kept.includes(accountKey)).toBe(false);
  }
  const exchanges = await traffic.exchanges();
  for (const secret of [webhookSecret, accountKey]) {
    const holders = exchanges.filter(({ text }) => text.includes(secret));
    // The browser does not keep every body, so at most one may contain the secret.
    expect(holders.length).toBeLessThanOrEqual(1);
    for (const holder of holders) {
      expect(holder).toMatchObject({ method: "POST", isAction: true });
      expect(holder.text).toMatch(/"cache-control":"[^"]*no-store/);
    }
    expect(traffic.urls.filter((url) => url.includes(secret))).toEqual([]);
  }
});
