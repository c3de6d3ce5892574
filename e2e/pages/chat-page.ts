import { expect } from "../fixtures.ts";
import { Playground } from "./playground.ts";

export const answersWithinMs = 30_000;

/** The conversation view of a chat model. */
export class ChatPage extends Playground {
  readonly message = this.input.getByRole("textbox", { name: "Message", exact: true });
  readonly settings = this.page.getByRole("region", { name: "Settings" });
  readonly answers = this.input.getByRole("article");
  readonly send = this.input.getByRole("button", { name: "Send", exact: true });

  /** Starts a conversation with short answers. */
  async start(model = "svc/chat-1"): Promise<void> {
    await this.open(model, "chat-completions");
    await this.tab("Chat");
    await expect(this.message).toBeVisible();
  }

  async say(text: string): Promise<void> {
    await this.message.fill(text);
    await this.message.press("Enter");
  }

  async settled(): Promise<void> {
    await expect(this.send).toBeVisible({ timeout: answersWithinMs });
  }
}
