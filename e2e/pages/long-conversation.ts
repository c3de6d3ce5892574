import { expect, type Locator, type Page } from "@playwright/test";
import { Playground } from "./playground.ts";

const messageCount = 200;
const answer = "Some **words**, a list:\n\n- one\n- two\n\n```js\nconst a = 1;\n```\n\nAnd an end of it.";

/**
 * Opens a conversation of 200 messages, rendered to its end. Returns its list, and the focused field for the
 * next message.
 */
export async function openLongConversation(page: Page): Promise<{ list: Locator; message: Locator }> {
  const messages = Array.from({ length: messageCount }, (_, at) =>
    at % 2 === 0
      ? { role: "user", content: `Question ${at}: ${"of this and that ".repeat(20)}` }
      : { role: "assistant", content: `Of ${at}. ${answer} ${"And more of the same. ".repeat(20)}` },
  );
  const playground = new Playground(page);
  await playground.open("svc/chat-1", "chat-completions");
  await playground.tab("JSON");
  await page.getByRole("textbox", { name: "Request body" }).fill(JSON.stringify({ messages, stream: true }));
  await playground.tab("Chat");
  const { input } = playground;
  await expect(input.getByRole("article")).toHaveCount(messageCount / 2);
  await expect(input.getByRole("article").last().getByRole("list").first()).toBeVisible();
  // By now each answer is rendered as Markdown.
  await expect(input.locator("pre")).toHaveCount(messageCount / 2);
  const message = input.getByRole("textbox", { name: "Message", exact: true });
  await message.click();
  return { list: input.getByRole("list", { name: "Conversation", exact: true }), message };
}
