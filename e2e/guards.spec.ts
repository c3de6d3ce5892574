import type { Page } from "@playwright/test";
import type { GuardQuestion } from "../contract/guards.ts";
import { signingKey, svcSignature } from "../gateway/events/webhooks/sign.ts";
import type { Receiver } from "../gateway/testing/receiver.ts";
import { expect, test } from "./fixtures.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { ChatPage } from "./pages/chat-page.ts";
import { openPage } from "./pages/open-page.ts";
import { SecretDialog } from "./pages/secret-dialog.ts";

// The other tests of this worker run models too.
test.afterEach(async ({ ownerApi }) => {
  for (const path of ["/account/guard", "/operator/guard"]) await ownerApi.send("DELETE", path);
});

/** Plays a guard that does not like recipes. */
function refuseRecipes(receiver: Receiver): void {
  receiver.answer(({ body }, response) => {
    const verdict = body.includes("recipe")
      ? { action: "block", reason: "It asks for a recipe." }
      : { action: "allow" };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(verdict));
  });
}

const state = (page: Page) => page.getByRole("region", { name: "State" });

test("an owner sets a guard up, tests it, sees what it blocked and why, rotates its secret and removes it", async ({
  page,
  receiver,
}) => {
  refuseRecipes(receiver);
  await openPage(page, "/settings");
  await page.getByRole("link", { name: "Open the guard" }).click();
  await page.waitForURL(/\/settings\/guard/);
  await expect(page.getByRole("heading", { level: 2, name: "No guard yet" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Set up a guard" }).click();
  await page.getByRole("button", { name: "Set up", exact: true }).click();
  await expect(page.getByText("Enter the address of your program, starting with https://")).toBeVisible();
  const address = page.getByRole("textbox", { name: "Address" });
  await expect(address).toBeFocused();
  await address.fill("https://10.0.0.1/guard");
  await page.getByRole("button", { name: "Set up", exact: true }).click();
  await expect(address).toHaveAttribute("aria-invalid", "true");
  await address.fill(`${receiver.url}/guard`);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Set up", exact: true }).click();
  const secret = await new SecretDialog(page, "guard secret").takeAndClose();
  await expect(state(page)).toContainText("Working");
  await expect(state(page)).toContainText(secret.slice(-4));
  expect(await page.content()).not.toContain(secret);

  await page.getByRole("button", { name: "Send a test question" }).click();
  const tester = page.getByRole("region", { name: "Test" });
  await expect(tester).toContainText("A run would proceed.");
  await expect(tester).toContainText(/\d ms/);
  const { headers, body } = await receiver.next(({ path }) => path === "/guard");
  expect((JSON.parse(body) as GuardQuestion).test).toBe(true);
  const [eventId, timestamp] = [String(headers["webhook-id"]), Number(headers["webhook-timestamp"])];
  expect(headers["x-svc-signature"]).toBe(
    svcSignature({ eventId, timestamp, body, keys: [signingKey(secret)] }),
  );

  // Unsaved changes are kept, and can be discarded.
  await page.getByRole("radio", { name: /Let the run continue/ }).check();
  await expect(page.getByText("Unsaved changes")).toBeVisible();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByRole("radio", { name: /Refuse the run/ })).toBeChecked();
  await page.getByRole("checkbox", { name: "embeddings" }).check();
  await page.getByRole("checkbox", { name: "chat-completions" }).check();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Guard saved")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("checkbox", { name: "embeddings" })).toBeChecked();

  // Turned off, nothing but a test asks it.
  await page.getByText("Ask this guard").click();
  await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
  await expect(state(page)).toContainText("Off");
  await page.getByText("Ask this guard").click();
  await expect(state(page)).toContainText("Working");

  const chat = new ChatPage(page);
  await chat.start();
  await chat.say("A recipe for a pie, please");
  const blocked = page.getByRole("alert").filter({ hasText: "A guard blocked this" });
  await expect(blocked).toContainText("The guard of this account blocked this run: It asks for a recipe.");
  const href = await blocked.getByRole("link", { name: "Open the request" }).getAttribute("href");
  await expect(async () => {
    await openPage(page, String(href));
    await expect(page.getByRole("region", { name: "Why it failed" })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const why = page.getByRole("region", { name: "Why it failed" });
  await expect(why).toContainText("It asks for a recipe.");
  await expect(why).toContainText("nothing was charged");
  await expect(page.getByRole("table", { name: "Guards that were asked" })).toContainText("Blocked");
  await expectAccessible(page);
  await openPage(page, "/requests?code=content_blocked");
  await expect(page.getByRole("row").filter({ hasText: "It asks for a recipe." })).toBeVisible();
  await openPage(page, String(href));
  await page.getByRole("link", { name: "Open the guard" }).click();
  await page.waitForURL(/\/settings\/guard/);
  const asked = page.getByRole("region", { name: "Questions in the last 24 hours" });
  await expect(async () => {
    await page.reload();
    await asked.getByText("Show as table").click({ timeout: 2_000 });
    await expect(asked.getByRole("row").last()).toContainText(/1/, { timeout: 2_000 });
  }).toPass();
  await expectAccessibleState(page);

  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("radio", { name: "1 hour" }).check();
  await expectAccessibleState(page);
  await page.getByRole("button", { name: "Create new secret" }).click();
  const second = await new SecretDialog(page, "guard secret").takeAndClose();
  await expect(state(page)).toContainText(second.slice(-4));
  await expect(state(page)).toContainText(`ends with ${secret.slice(-4)}, signs until`);
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove guard" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "No guard yet" })).toBeVisible();
});

test("a guard that fails says since when and why, and a test says what happens to runs", async ({
  page,
  receiver,
  ownerApi,
}) => {
  receiver.answer((_, response) => void response.writeHead(500).end());
  await ownerApi.post("/account/guard", { url: `${receiver.url}/guard`, on_error: "allow" });
  const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
  for (let run = 0; run < 6; run += 1) await ownerApi.post("/chat/completions", chat);
  await openPage(page, "/settings/guard");
  await expect(state(page)).toContainText("Failing");
  await expect(state(page)).toContainText("It answered 500 instead of 200.");
  await page.getByRole("button", { name: "Send a test question" }).click();
  await expect(page.getByRole("region", { name: "Test" })).toContainText("A run would continue unchecked");
  await expectAccessible(page);
});

test("an operator sets the guard of the installation up, in Chinese", async ({
  browser,
  ownerState,
  receiver,
  stack,
}) => {
  refuseRecipes(receiver);
  const context = await browser.newContext({
    storageState: ownerState,
    baseURL: stack.consoleUrl,
    locale: "zh-CN",
  });
  const page = await context.newPage();
  await openPage(page, "/operator/installation-guard");
  await page.getByRole("button", { name: "设置护栏" }).click();
  await page.getByRole("textbox", { name: "地址" }).fill(`${receiver.url}/all`);
  await expect(page.getByRole("checkbox", { name: /内网地址/ })).not.toBeChecked();
  await page.getByRole("button", { name: "设置护栏" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button").last().click();
  await page.getByRole("button", { name: "发送测试询问" }).click();
  await expect(page.getByText("运行会继续。")).toBeVisible();
  // biome-ignore lint/performance/useDomNodeTextContent: the text of scripts is not read.
  const main = await page.getByRole("main").innerText();
  const names =
    /Gatehouse|HTTPS|Python|TypeScript|JSON|https?|content_blocked|guard_unavailable|svc\/|template\//;
  const english = main.split("\n").filter((line) => /\b[a-z]{4,} [a-z]{3,}/i.test(line) && !names.test(line));
  expect(english).toEqual([]);
  await expectAccessible(page);
  await context.close();
});
