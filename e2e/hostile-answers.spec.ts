import { expect, test } from "./fixtures.ts";
import { Playground } from "./pages/playground.ts";

/** A model's answer, as the gateway streams it. */
function streamOf(content: string): string {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "svc/chat-1",
      choices: [{ index: 0, delta, finish_reason }],
    })}\n\n`;
  return `${chunk({ role: "assistant", content }, null)}${chunk({}, "stop")}data: [DONE]\n\n`;
}

const levels = Array.from({ length: 200 }, (_, level) => `${"  ".repeat(level)}- level ${level}\n`).join("");

for (const [name, content, end] of [
  ["lists in lists on one line", `${"- ".repeat(2000)}the end`, "the end"],
  ["2 MB of deep lists", `${levels.repeat(45)}the end`, "the end"],
  ["emphasis in emphasis", `${"*a ".repeat(900)}the end${" a*".repeat(900)}`, "the end"],
] as const)
  test(`an answer of ${name} is shown, and the playground keeps working`, async ({ page }) => {
    const playground = new Playground(page);
    await playground.open("svc/chat-1", "chat-completions");
    await playground.tab("Form");
    await page.route("**/api/gateway/chat/completions", (route) =>
      route.fulfill({ contentType: "text/event-stream", body: streamOf(content) }),
    );
    await playground.run.click();
    await expect(playground.result.getByText("Succeeded")).toBeVisible();
    await expect(playground.result.getByRole("article")).toContainText(end);
    await page.unroute("**/api/gateway/chat/completions");
    await page.getByRole("textbox", { name: "Content of message 2" }).fill("Say the word heliotrope.");
    await playground.run.click();
    await expect(playground.result.getByRole("article")).toContainText("Say the word heliotrope.");
  });
