import type { Page } from "@playwright/test";
import { startDashScopeServer } from "../gateway/models/providers/testing/dashscope-server.ts";
import { startOpenAiServer } from "../gateway/models/providers/testing/openai-server.ts";
import { expect, signedOut, test } from "./fixtures.ts";
import { expectAccessibleState } from "./pages/axe.ts";
import { isAlive } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";
import { startStack } from "./stack.ts";

test.use(signedOut);

/** A step of the list by its name. Completed steps are announced to screen readers. */
const step = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name }).first();

test("an operator's first day, from set-up to a run at a provider", async ({ page }) => {
  const [openai, dashscope] = [await startOpenAiServer(), await startDashScopeServer()];
  const { stack, stop } = await startStack({ hasOwner: false, settings: { KEEP_OUTPUTS: "off" } });
  const open = async (path: string) => {
    await page.goto(stack.consoleUrl + path);
    await isAlive(page);
  };
  try {
    // The one-time link creates the owner and signs in.
    const link = String(stack.setUpLink);
    await page.goto(`${stack.consoleUrl}/sign-in`);
    await expect(page).toHaveURL(/\/setup$/);
    await expect(page.getByText("Create the first account")).toBeVisible();
    await expect(page.getByLabel(/^Set-up token/)).toBeVisible();
    // A page that is just being hydrated would drop the new fragment of its address.
    await isAlive(page);
    await page.goto(link);
    await expect(page.getByRole("heading", { level: 1, name: "Set up Gatehouse" })).toBeVisible();
    await isAlive(page);
    await page.getByLabel(/^Your name/).fill("Ada Lovelace");
    await page.getByLabel(/^E-mail/).fill("ada@example.com");
    await page.getByLabel(/^Password/).fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByText("Use at least 10 characters.")).toBeVisible();
    await page.getByLabel(/^Password/).fill("difference engine");
    const visited: string[] = [];
    page.on("framenavigated", (frame) => void visited.push(new URL(frame.url()).pathname));
    await page.getByRole("button", { name: "Create account" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "First steps" })).toBeVisible();
    // Another page on the way could take the place of this one.
    expect(visited.filter((path) => path !== "/setup")[0]).toBe("/operator/first-steps");
    await expect(page.getByText("0 of 8 done")).toBeVisible();
    await expect(step(page, "Open the gateway to the network")).toContainText("http://localhost:");
    await expectAccessibleState(page);

    // Without a provider the sandbox answers, and the step is marked as done.
    const playground = new Playground(page);
    await open("/playground/svc/chat-1/chat-completions");
    await playground.tab("Form");
    await playground.run.click();
    await expect(playground.result.getByText("Succeeded")).toBeVisible();
    await open("/operator/first-steps");
    await expect(step(page, "Try the sandbox")).toContainText("(done)");

    // The operator chooses the provider's kind and key.
    await page.getByRole("link", { name: "Connect", exact: true }).click();
    await page.getByRole("link", { name: "Another server of OpenAI's API" }).click();
    await page.getByLabel(/^API key/).fill("sk-the-first-key-of-the-day");
    await page.getByLabel(/^Address/).fill(`${openai.origin}/v1`);
    await page.getByLabel("Allow this private address").check();
    await page.getByLabel(/^Name/).fill("acme");
    const regions = page.getByRole("group", { name: "Regions" }).getByRole("checkbox", { checked: true });
    await expect(regions).toHaveCount(1);
    await page.getByRole("button", { name: "Save and test" }).click();

    // The operator chooses the provider's models.
    const steps = page.getByRole("list", { name: "Steps", exact: true });
    await expect(steps.locator("[aria-current=step]")).toHaveText("2. Models");
    await expect(page.getByText("It lists 5 models.").first()).toBeVisible();
    await expect(page.getByText("Choose at least one model first.")).toBeVisible();
    await page.reload();
    await isAlive(page);
    await page.getByLabel("Tick small-chat").check();
    await expectAccessibleState(page);
    await page.getByRole("button", { name: "Import 1 model" }).click();
    await expect(page.getByText("Import ended: 1 model added")).toBeVisible();
    await expect(page.getByText("acme runs 1 operation.")).toBeVisible();
    await page.getByRole("link", { name: "Continue to a first run" }).click();

    // The first run: a refused run explains why, and the next run completes the step.
    const table = page.getByRole("table", { name: "Models of the provider" });
    await expect(table).toContainText("small-chat");
    await expectAccessibleState(page);
    const address = page.url();
    await table.getByRole("link").first().click();
    openai.trouble(/chat/, { status: 401, json: { error: { message: "Wrong key, they say" } } });
    await playground.run.click();
    await expect(playground.result.getByRole("alert").first()).toBeVisible();
    await page.goto(address);
    await expect(page.getByText(/The last attempt failed .*Wrong key, they say/)).toBeVisible();
    await table.getByRole("link").first().click();
    await playground.run.click();
    await expect(playground.result.getByText("Succeeded")).toBeVisible();
    await page.goto(address);
    await expect(page.getByText(/^acme answered .* It is connected/)).toBeVisible();
    await page.getByRole("link", { name: "Back to the first steps" }).click();
    await expect(step(page, "Connect a provider")).toContainText("(done)");

    // If a provider does not describe its models, the catalog's models are offered.
    await open("/operator/first-steps/connect?preset=dashscope-like");
    await page.getByLabel(/^API key/).fill("dashscope-test-key");
    await page.getByLabel(/^Address/).fill(dashscope.origin);
    await page.getByLabel("Allow this private address").check();
    await page.getByLabel(/^Name/).fill("other");
    await page.getByRole("button", { name: "Save and test" }).click();
    await expect(page.getByRole("heading", { name: "Models of the catalog" })).toBeVisible();
    await page.getByRole("button", { name: "Run models there" }).click();
    await expect(page.getByText("Choose at least one model.", { exact: true })).toBeVisible();
    await page.getByRole("checkbox", { name: /^svc\/chat-1 / }).check();
    await page.getByRole("combobox", { name: "Provider's model" }).fill("qwen-plus");
    await page.keyboard.press("Escape");
    await expectAccessibleState(page);
    await page.getByRole("button", { name: "Run 1 model there" }).click();
    await expect(page.getByText("other runs 1 operation.")).toBeVisible();

    // Home shows the remaining steps until the operator hides them. The page stays in the rail.
    await open("/");
    const card = page.getByRole("region", { name: "Set up this installation" });
    await expect(card).toContainText("2 of 8 done. Next: Keep the model names of your programs");
    await expectAccessibleState(page);
    await card.getByRole("button", { name: "Hide" }).click();
    await expect(card).toBeHidden();
    await page.reload();
    await isAlive(page);
    await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
    await expect(card).toBeHidden();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Instance" }).click();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "First steps" }).click();
    await page.getByText("Show on Home").click();
    await expect(page.getByRole("switch", { name: "Show on Home" })).toBeChecked();
    await open("/");
    await expect(card).toBeVisible();

    // Outputs cannot be kept on this gateway, so the rail has no library. The library's page explains why.
    const pages = page.getByRole("navigation", { name: "Pages" });
    await pages.getByRole("button", { name: "Results" }).click();
    await expect(pages.getByRole("link", { name: "Uploads" })).toBeVisible();
    await expect(pages.getByRole("link", { name: "Library" })).toHaveCount(0);
    await open("/library");
    await expect(page.getByText("Outputs cannot be kept here")).toBeVisible();
    await expectAccessibleState(page);

    // The link works once. The owner signs in with the password.
    await page.goto(`${stack.consoleUrl}/settings`);
    await expect(page.getByRole("main").getByText("ada@example.com")).toBeVisible();
    await page.context().clearCookies();
    await page.goto(link);
    await expect(page).toHaveURL(/\/sign-in/);
    await page.getByRole("textbox", { name: "E-mail" }).fill("ada@example.com");
    await page.getByLabel(/^Password/).fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("Wrong e-mail or password")).toBeVisible();
    await page.getByLabel(/^Password/).fill("difference engine");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
  } finally {
    await stop();
    await openai.close();
    await dashscope.close();
  }
});
