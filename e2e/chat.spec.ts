import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { answersWithinMs, ChatPage } from "./pages/chat-page.ts";
import { openLongConversation } from "./pages/long-conversation.ts";
import { openPage } from "./pages/open-page.ts";

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAABHNCSVQICAgIfAhkiAAAAAFzUkdCAK7OHOkAAABJSURBVFiF7dexEQAgCEPR4LmR7D+BzhQ30MKCwk8b7vKOjrBtFU6rLAcAAIAk9dvCynwqGHMe8/ILAAAAAAAAAACCvwAAgO8BG9nXCzmhrae1AAAAAElFTkSuQmCC",
  "base64",
);

/** A model's answer, as the gateway streams it. */
function streamOf(...pieces: object[]): string {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  return `${pieces.map((piece) => chunk(piece, null)).join("")}${chunk({}, "stop")}data: [DONE]\n\n`;
}

async function answerWith(page: Page, ...pieces: object[]): Promise<void> {
  await page.route("**/api/gateway/chat/completions", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: streamOf(...pieces) }),
  );
}

test("a chat model opens as a chat: the message and its button are there before any script, the form is one tab away", async ({
  browser,
  ownerState,
  page,
  stack,
}) => {
  const path = "/playground/svc/chat-1/chat-completions";
  const context = await browser.newContext({
    storageState: ownerState,
    baseURL: stack.consoleUrl,
    javaScriptEnabled: false,
  });
  const plain = new ChatPage(await context.newPage());
  await plain.page.goto(path);
  await expect(plain.message).toHaveValue("Why is the sky blue?");
  await expect(plain.send).toBeVisible();
  await expect(plain.settings.getByRole("textbox", { name: "System prompt" })).toBeVisible();
  await context.close();

  const chat = new ChatPage(page);
  await openPage(page, path);
  await expect(chat.message).toHaveValue("Why is the sky blue?");
  await expect(chat.input.getByRole("figure")).toContainText("Example, made without the model.");
  await chat.send.click();
  await chat.settled();
  await expect(chat.answers).toContainText("Why is the sky blue?");
  await expect(chat.input.getByRole("figure")).toHaveCount(0);
  await expect(chat.settings.getByRole("spinbutton").first()).toBeVisible();
  await chat.tab("Form");
  await expect(page.getByRole("textbox", { name: "Content of message 2" })).toHaveValue(
    "Why is the sky blue?",
  );
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Content of message 2" })).toBeVisible();
});

test("a conversation is written, edited into branches, and stays the draft of all tabs", async ({ page }) => {
  const chat = new ChatPage(page);
  await chat.start();
  await expect(chat.message).toHaveValue("Why is the sky blue?");
  await expect(chat.settings.getByRole("textbox", { name: "System prompt" })).toHaveValue(
    /one short paragraph/,
  );
  await expectAccessible(page);

  await chat.message.press("End");
  await chat.message.press("Shift+Enter");
  await expect(chat.message).toHaveValue("Why is the sky blue?\n");
  await chat.message.fill("Tell me of harbours.");
  await chat.message.press("Enter");
  await expect(chat.message).toHaveValue("");
  await expect(chat.input.getByRole("button", { name: "Stop" })).toBeVisible();
  await chat.settled();
  await expect(chat.answers).toContainText("Sandbox reply");

  await test.step("the other tabs show the same draft", async () => {
    await chat.message.fill("And of lighthouses?");
    await chat.tab("Form");
    await expect(page.getByRole("textbox", { name: "Content of message 4" })).toHaveValue(
      "And of lighthouses?",
    );
    await chat.tab("Code");
    await expect(chat.input.getByRole("figure")).toContainText("And of lighthouses?");
    await chat.tab("Chat");
    await expect(chat.message).toHaveValue("And of lighthouses?");
  });

  await test.step("the user edits an earlier message, and both branches stay", async () => {
    await chat.input.getByRole("button", { name: "Edit message" }).click();
    await chat.input.getByRole("textbox", { name: "Edit your message" }).fill("Tell me of canals.");
    await page.keyboard.press("Enter");
    await chat.settled();
    await expect(chat.answers).toContainText("Tell me of canals.");
    const branches = chat.input.getByRole("group", { name: "Branches of message 1" });
    await expect(branches).toContainText("2 of 2");
    await branches.getByRole("button", { name: "Earlier branch" }).click();
    await expect(chat.answers).toContainText("Tell me of harbours.");
    await expect(branches).toContainText("1 of 2");
    // The unsent message is still there.
    await expect(chat.message).toHaveValue("And of lighthouses?");
  });

  await test.step("a reload keeps the whole conversation", async () => {
    await page.reload();
    await expect(chat.answers).toContainText("Tell me of harbours.");
    await expect(chat.input.getByRole("group", { name: "Branches of message 1" })).toContainText("1 of 2");
    await expect(chat.message).toHaveValue("And of lighthouses?");
  });

  await test.step("stopping keeps the text that arrived", async () => {
    await chat.message.press("Enter");
    await expect(chat.answers.nth(1)).toContainText("Sandbox");
    await page.keyboard.press("Escape");
    await expect(chat.input.getByText(/You stopped this answer/)).toBeVisible();
    await chat.input.getByRole("button", { name: "Answer again" }).last().click();
    await chat.settled();
    await expect(chat.input.getByRole("group", { name: "Branches of message 4" })).toContainText("2 of 2");
  });

  await test.step("leaving the page keeps the text that arrived", async () => {
    await chat.say("Tell me of bridges.");
    await expect(chat.answers.nth(2)).toContainText("Sandbox");
    await page.getByRole("link", { name: "About this model" }).click();
    await expect(page).toHaveURL(/\/catalog\//);
    await page.goBack();
    await expect(chat.answers.nth(2)).toContainText("Sandbox");
    await expect(chat.input.getByText(/You stopped this answer/)).toBeVisible();
  });

  await test.step("starting a new conversation can be undone", async () => {
    await chat.input.getByRole("button", { name: "New" }).click();
    await expect(chat.answers).toHaveCount(0);
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await expect(chat.answers).toHaveCount(3);
  });
  await expectAccessibleState(page);
});

test("a tool call is shown as a card, in which the user types and sends its result", async ({ page }) => {
  const chat = new ChatPage(page);
  await chat.start();
  await chat.say('/tool tide {"port": "Oban"}');
  const card = chat.input.getByRole("region", { name: "Call of tide" });
  await expect(card.getByRole("textbox", { name: "Result of tide" })).toBeEnabled({
    timeout: answersWithinMs,
  });
  await expect(card).toContainText('"port": "Oban"');
  await card.getByRole("textbox", { name: "Result of tide" }).fill("calm, 14 degrees");
  await expectAccessibleState(page);
  await card.getByRole("button", { name: "Send the result" }).click();
  await expect(chat.answers.nth(1)).toContainText("calm, 14 degrees", { timeout: answersWithinMs });
  await expect(card.getByRole("figure", { name: "Result of tide" })).toContainText("calm, 14 degrees");
});

test("a second model answers the same message beside the first", async ({ page }) => {
  const chat = new ChatPage(page);
  await chat.start();
  await chat.say("Tell me of harbours.");
  await chat.settled();
  await chat.input.getByRole("combobox", { name: "Second model" }).selectOption("svc/chat-2");
  const second = chat.input.getByRole("region", { name: "Answers of svc/chat-2" });
  await expect(second).toContainText("Tell me of harbours.");
  // Nothing runs automatically.
  await second.getByRole("button", { name: "Answer", exact: true }).click();
  await chat.settled();
  await expect(second.getByRole("article")).toContainText("Sandbox");
  await chat.say("And of canals?");
  await chat.settled();
  await expect(chat.answers).toHaveCount(4);
  await expectAccessibleState(page);
  await second.getByRole("button", { name: "Remove svc/chat-2" }).click();
  await expect(chat.answers).toHaveCount(2);
});

test("the user pastes and drops pictures into a message, which shows them", async ({ page, ownerApi }) => {
  const id = "own/sees-in-chat";
  const template = { model: "svc/chat-1", api_type: "chat-completions" };
  await ownerApi.post("/operator/models", { id, template, input_modalities: ["text", "image"] });
  const chat = new ChatPage(page);
  await chat.start(id);
  await chat.input
    .locator("input[type=file]")
    .setInputFiles({ name: "square.png", mimeType: "image/png", buffer: picture });
  await expect(chat.input.getByRole("img", { name: "Preview of square.png" })).toBeVisible();
  for (const kind of ["paste", "drop"])
    await chat.message.evaluate(
      (box, [kind, base64]) => {
        const bytes = Uint8Array.from(atob(String(base64)), (character) => character.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], `${kind}.png`, { type: "image/png" }));
        box.dispatchEvent(
          kind === "paste"
            ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
            : new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
        );
      },
      [kind, picture.toString("base64")],
    );
  const pictures = chat.input.getByRole("list", { name: "Pictures" });
  await expect(pictures.getByRole("listitem")).toHaveCount(3);
  await pictures.getByRole("button", { name: "Remove picture 3" }).click();
  await expectAccessibleState(page);
  await chat.say("What is in these?");
  await chat.settled();
  await expect(chat.answers).toContainText(/picture/);
  await expect(chat.input.getByRole("listitem").getByRole("img")).toHaveCount(2);
});

test("an answer is rendered as Markdown that loads nothing from other sites", async ({ page }) => {
  const outside: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("example.com")) outside.push(request.url());
  });
  const chat = new ChatPage(page);
  await chat.start();
  const text = [
    "A [link](https://example.com/a) and a [bad one](javascript:alert(1)).",
    "![a picture](https://example.com/a.png)",
    "<img src=https://example.com/b.png onerror=alert(1)>",
    "| a | b |\n| - | - |\n| 1 | 2 |",
    "```js\nconst a = 1;\n```",
  ].join("\n\n");
  await answerWith(page, { reasoning_content: "Let me think." }, { content: text });
  await chat.say("Show me everything.");
  const answer = chat.answers.first();
  await expect(answer.getByRole("table")).toBeVisible();
  await expect(answer.getByRole("link", { name: "link", exact: true })).toHaveAttribute("rel", /noopener/);
  await expect(answer.locator("a[href^='javascript']")).toHaveCount(0);
  await expect(answer.locator("img")).toHaveCount(0);
  await expect(answer.getByRole("button", { name: "Copy code" })).toBeVisible();
  await expect(answer.locator("pre .text-code-word")).toHaveText("const");
  await expect(answer.getByText("Let me think.")).toBeHidden();
  await answer.getByText(/^Thought for/).click();
  await expect(answer.getByText("Let me think.")).toBeVisible();
  await expectAccessibleState(page);
  expect(outside).toEqual([]);
});

test("an error is shown at its message, and the message is not lost", async ({ page }) => {
  const chat = new ChatPage(page);
  await chat.start();
  await page.route("**/api/gateway/chat/completions", (route) =>
    route.fulfill({
      status: 503,
      json: {
        error: { code: "no_provider_available", type: "api_error", message: "No provider can run it now." },
      },
    }),
  );
  await chat.say("Tell me of harbours.");
  await expect(chat.input.getByRole("alert")).toBeVisible();
  await expect(chat.input.getByRole("listitem").filter({ hasText: "Tell me of harbours." })).toBeVisible();
  await page.unroute("**/api/gateway/chat/completions");
  await page.reload();
  await chat.input.getByRole("button", { name: "Answer", exact: true }).click();
  await chat.settled();
  await expect(chat.answers).toContainText("Tell me of harbours.");
});

test("a conversation is saved, opened by its link, changed by two people, and deleted", async ({
  page,
  context,
  ownerApi,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const chat = new ChatPage(page);
  await chat.start();
  await chat.say("Tell me of harbours.");
  await chat.settled();
  await chat.input.getByRole("button", { name: "Save and share" }).click();
  const dialog = page.getByRole("dialog", { name: "Save and share" });
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("Tell me of harbours.");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Harbours");
  await expectAccessibleState(page);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Copy link" }).click();
  const address = await page.evaluate(() => navigator.clipboard.readText());

  await test.step("the link replaces the open conversation, which can be restored", async () => {
    await chat.input.getByRole("button", { name: "New" }).click();
    await chat.message.fill("Something else.");
    await page.goto(address);
    await expect(page.getByText(/^Conversation “Harbours” by .+ opened\.$/)).toBeVisible();
    await expect(chat.answers).toContainText("Tell me of harbours.");
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await expect(chat.message).toHaveValue("Something else.");
    await expect(chat.input.getByRole("button", { name: "Save and share" })).toBeVisible();
    await page.goto(address);
    await expect(chat.answers).toContainText("Tell me of harbours.");
  });

  await test.step("another person's change is not overwritten", async () => {
    const { data } = await ownerApi.get("/conversations?search=harbours");
    const { id, version } = (data as { id: string; version: number }[])[0] ?? { id: "", version: 0 };
    await ownerApi.patch(`/conversations/${id}`, { version, name: "Ports" });
    await chat.input.getByRole("button", { name: "Save changes" }).click();
    const save = page.getByRole("dialog", { name: "Save and share" });
    await expect(save.getByRole("alert")).toContainText("Somebody has changed");
    await save.getByRole("link", { name: "Open their version" }).click();
    await expect(page.getByText(/^Conversation “Ports” by .+ opened\.$/)).toBeVisible();
    await chat.input.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Saved “Ports”. Your team can now open it")).toBeVisible();
  });

  await test.step("the conversation is found by its name, and deleted", async () => {
    await chat.input.getByRole("button", { name: "Conversations" }).click();
    const list = page.getByRole("dialog", { name: "Conversations" });
    await list.getByRole("searchbox", { name: "Find by name" }).fill("port");
    await expect(list.getByRole("link", { name: "Ports" })).toBeVisible();
    await expectAccessibleState(page);
    await list.getByRole("button", { name: "Actions for Ports" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("status").getByRole("button", { name: "Close message" }).first().click();
    await expect(async () => {
      await page.goto(address);
      await expect(page.getByRole("heading", { name: "No conversation at this address" })).toBeVisible();
    }).toPass();
  });
});

test("typing in a conversation of 200 messages renders none of them again", async ({ page }) => {
  const { list, message } = await openLongConversation(page);
  const changes = await list.evaluate(async (list) => {
    let changes = 0;
    new MutationObserver((records) => {
      changes += records.length;
    }).observe(list, { subtree: true, childList: true, characterData: true, attributes: true });
    const box = document.activeElement as HTMLTextAreaElement;
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
    for (let at = 0; at < 100; at += 1) {
      set?.call(box, `${box.value}a`);
      // React renders the change of a text field before this call returns.
      box.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await new Promise(requestAnimationFrame);
    }
    return changes;
  });
  await expect(message).toHaveValue("a".repeat(100));
  expect(changes).toBe(0);
});
