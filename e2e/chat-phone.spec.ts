import { expect, test } from "./fixtures.ts";
import { expectAccessibleState } from "./pages/axe.ts";
import { ChatPage } from "./pages/chat-page.ts";
import { expectFitsScreen, smallTargets } from "./pages/phone.ts";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test("on a phone, a conversation can be written, sent, stopped, edited and branched", async ({ page }) => {
  const chat = new ChatPage(page);
  await chat.open("svc/chat-1", "chat-completions");
  await chat.input.getByRole("tab", { name: "Chat" }).tap();
  await chat.message.tap();
  await chat.message.fill(`Tell me of harbours, ${"and of the boats in them ".repeat(40)}`);
  await expectFitsScreen(page);
  await chat.send.tap();
  const stop = chat.input.getByRole("button", { name: "Stop" });
  await expect(chat.answers).toContainText("Sandbox");
  await stop.tap();
  await expect(chat.input.getByText(/You stopped this answer/)).toBeVisible();
  await expectFitsScreen(page);

  await chat.input.getByRole("button", { name: "Edit message" }).tap();
  await chat.input.getByRole("textbox", { name: "Edit your message" }).fill("Tell me of canals.");
  await expectFitsScreen(page);
  expect(await smallTargets(chat.input)).toEqual([]);
  await chat.input.getByRole("button", { name: "Send again", exact: true }).tap();
  await chat.settled();
  await expect(chat.answers).toContainText("Tell me of canals.");
  const branches = chat.input.getByRole("group", { name: "Branches of message 1" });
  await branches.getByRole("button", { name: "Earlier branch" }).tap();
  await expect(chat.input.getByRole("listitem").filter({ hasText: "Tell me of harbours" })).toBeVisible();
  expect(await smallTargets(chat.input)).toEqual([]);
  await expectFitsScreen(page);
  await expectAccessibleState(page);

  await page.getByRole("button", { name: "Settings", exact: true }).tap();
  await expect(chat.settings.getByRole("textbox", { name: "System prompt" })).toBeVisible();
  await expectFitsScreen(page);
  await expectAccessibleState(page);
});
