import type { Browser, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

const password = "four purple lamps walk";

test("a colleague is invited, joins, is limited to her role at once, and is removed", async ({
  page,
  browser,
  baseURL,
}) => {
  const link = await test.step("the owner creates a link", async () => {
    await openPage(page, "/settings/team");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const form = page.getByRole("dialog", { name: "Invite somebody" });
    await form.getByRole("textbox", { name: "E-mail" }).fill("grace@example.com");
    await expectAccessible(page);
    await form.getByRole("button", { name: "Create link" }).click();
    const shown = page.getByRole("dialog", { name: "Send them this link" });
    const url = await shown.getByRole("textbox", { name: "Link" }).inputValue();
    await page.keyboard.press("Escape");
    await expect(shown.getByRole("alert")).toContainText("cannot be shown again");
    await shown.getByRole("button", { name: "Close without copying" }).click();
    await expect(page.getByRole("row", { name: /grace@example.com.*Open/ })).toBeVisible();
    return url;
  });

  await test.step("opened by the owner, the link shows a question before their session ends", async () => {
    await page.goto(link);
    await expect(
      page.getByText(/You are signed in as .* The invitation is for grace@example.com/),
    ).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Your name" })).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole("link", { name: "Stay signed in" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
    await openPage(page, "/settings/team");
  });

  const grace = await test.step("the colleague joins with the link, which works once", async () => {
    const other = await signedOutPage(browser, baseURL);
    const requests: string[] = [];
    other.on("request", (request) => requests.push(`${request.url()} ${request.headers().referer ?? ""}`));
    await other.goto(link);
    await other.getByRole("textbox", { name: "Your name" }).fill("Grace Hopper");
    await other.getByLabel(/^Password/).fill("password12");
    await other.getByRole("button", { name: "Join", exact: true }).click();
    await expect(other.getByText(/is easy to guess:/)).toBeVisible();
    await expectAccessible(other);
    await other.getByLabel(/^Password/).fill(password);
    await other.getByRole("button", { name: "Join", exact: true }).click();
    await other.waitForURL((url) => url.pathname !== "/invite");
    const token = new URL(link).hash.slice(1);
    expect(requests.filter((line) => line.includes(token))).toEqual([]);

    const late = await signedOutPage(browser, baseURL);
    await late.goto(link);
    await expect(late.getByRole("heading", { name: "This invitation was accepted" })).toBeVisible();
    await late.context().close();
    return other;
  });

  await test.step("for a member, buttons for admins are disabled and name who may use them", async () => {
    await openPage(grace, "/webhooks/endpoints");
    const add = grace.getByRole("button", { name: "Add endpoint" });
    await expect(add).toHaveAttribute("aria-disabled", "true");
    await add.focus();
    await expect(grace.getByRole("tooltip").first()).toContainText("Who can do this?Owner: ");
    await expectAccessible(grace);
  });

  await test.step("when she becomes a viewer, her open page refuses at once and its buttons disappear", async () => {
    await openPage(grace, "/keys");
    await grace.getByRole("button", { name: "Create key" }).click();
    const form = grace.getByRole("dialog", { name: "Create key" });
    await form.getByRole("textbox", { name: "Name" }).fill("too late");
    await changeRole(page, "Grace Hopper", "Viewer");
    await form.getByRole("button", { name: "Create key" }).click();
    await expect(grace.getByText("Your role may not see this page")).toBeVisible();
    await expect(grace.getByRole("link", { name: "Keys" })).toHaveCount(0);
    await grace.goto("/webhooks/endpoints");
    await expect(grace.getByRole("heading", { name: "Endpoints", exact: true })).toBeVisible();
    await expect(grace.getByRole("button", { name: "Add endpoint" })).toHaveCount(0);
    await expectAccessible(grace);
  });

  await test.step("when she is removed, she is signed out", async () => {
    await actionOf(page, "Grace Hopper", "Remove…");
    await page
      .getByRole("dialog", { name: "Remove Grace Hopper?" })
      .getByRole("button", { name: "Remove member" })
      .click();
    await expect(page.getByRole("row", { name: /Grace Hopper/ })).toHaveCount(0);
    await grace.goto("/predictions");
    await grace.waitForURL((url) => url.pathname === "/sign-in");
    await grace.context().close();
  });
});

async function signedOutPage(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [] },
    reducedMotion: "reduce",
    ...(baseURL && { baseURL }),
  });
  return context.newPage();
}

async function actionOf(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function changeRole(page: Page, name: string, role: string): Promise<void> {
  await page.reload();
  await actionOf(page, name, "Change role…");
  const dialog = page.getByRole("dialog", { name: `Change the role of ${name}` });
  await dialog.getByRole("radio", { name: new RegExp(`^${role}`) }).check();
  await dialog.getByRole("button", { name: "Change role" }).click();
  await expect(dialog).toBeHidden();
}
