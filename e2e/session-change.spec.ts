import type { Page } from "@playwright/test";
import { makeAccount } from "./command-line.ts";
import { expect, signedOut, test } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { isAlive, openPage } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";
import { signIn } from "./pages/sign-in.ts";

const first = { email: "first-of-browser@example.com", password: "gatehouse-e2e-first-one" };
const second = { email: "second-of-browser@example.com", password: "gatehouse-e2e-second-one" };

test.use(signedOut);

/** Signs in in the dialog over a page whose session has ended. */
async function signInAgain(page: Page, { email, password }: typeof first): Promise<void> {
  await page.getByRole("status").getByRole("button", { name: "Sign in again" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByRole("textbox", { name: "E-mail" }).fill(email);
  await dialog.getByLabel(/^Password/).fill(password);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("every page notices at once that the session has ended, hides private content, and continues after signing in", async ({
  page,
  context,
  stack,
}) => {
  await makeAccount(stack, first);
  await signIn(page, { ...stack, owner: first });
  const playground = new Playground(page);
  await playground.open("svc/tts-b-1", "text-to-speech");
  const draft = page.getByRole("textbox", { name: "Text", exact: true });
  await draft.fill("Half a sentence");
  const keys = await context.newPage();
  await openPage(keys, "/keys");
  const [profile, dialog] = [await context.newPage(), keys.getByRole("dialog", { name: /key/i })];
  await openPage(profile, "/settings/profile");
  // A page with an open dialog hides the dialog, too.
  await keys.getByRole("button", { name: "Create key" }).first().click();
  await expect(dialog).toBeVisible();

  const elsewhere = await GatewayApi.signIn({ ...stack, owner: first });
  await elsewhere.delete("/account/sessions");
  for (const open of [page, keys, profile])
    await expect(open.getByText("Your session has ended.")).toBeVisible();
  await expect(draft).toBeHidden();
  await expect(dialog.getByRole("textbox", { name: "Name" })).toBeHidden();
  await expect(profile.getByText(first.email)).toBeHidden();
  await expect(profile.getByRole("heading", { level: 1 })).toBeHidden();

  await signInAgain(page, first);
  for (const open of [page, profile]) {
    await expect(open.getByText("Your session has ended.")).toBeHidden();
    await expect(open.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await expect(draft).toHaveValue("Half a sentence");
  await expect(dialog.getByRole("textbox", { name: "Name" })).toBeVisible();
});

test("a page never runs anything as a person whom another tab signed in", async ({
  page,
  context,
  stack,
}) => {
  for (const person of [first, second]) await makeAccount(stack, person);
  await signIn(page, { ...stack, owner: first });
  const playground = new Playground(page);
  await playground.open("svc/tts-b-1", "text-to-speech");
  const draft = page.getByRole("textbox", { name: "Text", exact: true });
  await draft.fill("Written by the first");
  const other = await context.newPage();
  await openPage(other, "/keys");
  // Sends requests like a page that has not noticed the new session yet.
  const asTheFirst = (path: string, method = "GET") =>
    page.evaluate(async ([path, method]) => (await fetch(path, { method })).status, [path, method] as const);
  expect(await asTheFirst("/api/gateway/predictions")).toBe(200);

  await other.getByRole("button", { name: "Profile and settings" }).click();
  await other.getByRole("menuitem", { name: "Sign out" }).click();
  await other.waitForURL(/sign-in/);
  await signIn(other, { ...stack, owner: second });

  await expect(page.getByText(`(${second.email}) is now signed in with this browser.`)).toBeVisible();
  await expect(draft).toBeHidden();
  for (const [path, method] of [
    ["/api/gateway/predictions", "GET"],
    ["/api/gateway/predictions/pred_none/events", "GET"],
    ["/api/gateway/audio/speech", "POST"],
  ] as const)
    expect(await asTheFirst(path, method), path).toBe(409);

  await signInAgain(page, first);
  await expect(draft).toHaveValue("Written by the first");
  await playground.run.click();
  await expect(playground.result.getByText("Succeeded")).toBeVisible();
  // The other tab notices it, too.
  await expect(other.getByText(`(${first.email}) is now signed in with this browser.`)).toBeVisible();
  const reloaded = other.waitForEvent("load");
  await other.getByRole("button", { name: "Reload the page" }).click();
  await reloaded;
  await isAlive(other);
  await other.getByRole("button", { name: "Profile and settings" }).click();
  await expect(other.getByText(first.email)).toBeVisible();
});
