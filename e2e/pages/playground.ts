import type { Locator, Page } from "@playwright/test";
import { openPage } from "./open-page.ts";

/** The playground of one operation. */
export class Playground {
  readonly page: Page;
  readonly input: Locator;
  readonly result: Locator;
  readonly run: Locator;
  readonly facts: Locator;

  constructor(page: Page) {
    this.page = page;
    this.input = page.getByRole("region", { name: "Input" });
    this.result = page.getByRole("region", { name: "Result" });
    // While the playground cannot run, the button's name contains the reason.
    this.run = this.input.getByRole("button", { name: "Run", exact: true });
    this.facts = page.getByRole("list", { name: "Before you run" });
  }

  /** Opens the playground with the model's own example in the form. */
  async open(model: string, apiType: string): Promise<void> {
    await openPage(this.page, `/playground/${model}/${apiType}`);
  }

  tab(name: "Chat" | "Form" | "JSON" | "Code"): Promise<void> {
    return this.input.getByRole("tab", { name }).click();
  }

  resultTab(name: "Output" | "Raw" | "History"): Promise<void> {
    return this.result.getByRole("tab", { name }).click();
  }
}
