import { expect, type Locator, type Page } from "@playwright/test";

/** The dialog that shows a secret once. */
export class SecretDialog {
  readonly root: Locator;
  readonly done: Locator;

  constructor(page: Page, what: string) {
    this.root = page.getByRole("dialog", { name: `Store the ${what} now` });
    this.done = this.root.getByRole("button", { name: "Done" });
  }

  async reveal(): Promise<string> {
    await this.root.getByRole("button", { name: "Reveal" }).click();
    return String(await this.root.locator("code").first().textContent()).trim();
  }

  async close(): Promise<void> {
    await this.root.getByRole("checkbox", { name: "I have stored it in a safe place" }).check();
    await this.done.click();
    await expect(this.root).toBeHidden();
  }

  async takeAndClose(): Promise<string> {
    const secret = await this.reveal();
    await this.close();
    return secret;
  }

  /** Checks that leaving asks for confirmation, and that staying keeps the secret. */
  async expectQuestionAndStay(): Promise<void> {
    await expect(this.root.getByRole("alert")).toContainText("cannot be shown again");
    await this.root.getByRole("button", { name: "Go back" }).click();
    await expect(this.done).toBeVisible();
  }
}
