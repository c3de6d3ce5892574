import { startOpenAiServer } from "../gateway/models/providers/testing/openai-server.ts";
import { expect, signedOut, test } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { signIn } from "./pages/sign-in.ts";
import { startStack } from "./stack.ts";

test.use(signedOut);

/** Prices in LiteLLM's format. */
const list = JSON.stringify({
  "gpt-5": {
    mode: "chat",
    litellm_provider: "openai",
    input_cost_per_token: 1.25e-6,
    output_cost_per_token: 1e-5,
    input_cost_per_video_per_second: 4e-5,
  },
});

test("prices are imported, typed and pasted, and give the cost of runs", async ({ page }) => {
  const upstream = await startOpenAiServer();
  const { stack, stop } = await startStack();
  try {
    const api = await GatewayApi.signIn(stack);
    await api.post("/operator/providers", {
      name: "acme",
      protocol: "openai",
      base_url: `${upstream.origin}/v1`,
      credentials: { "us-virginia": {} },
      allow_private: true,
    });
    const route = { models: ["svc/chat-1"], provider: "acme", upstream_model: "gpt-5" };
    await api.send("PUT", "/operator/routes", { routes: [route] });

    await signIn(page, stack, "/operator/prices");
    await expect(page.getByRole("table", { name: "Not priced" })).toContainText("svc/chat-1");
    await page.getByRole("button", { name: "Import" }).click();
    const dialog = page.getByRole("dialog", { name: "Import prices" });
    await dialog
      .locator("input[type=file]")
      .setInputFiles({ name: "prices.json", mimeType: "application/json", buffer: Buffer.from(list) });
    await expect(dialog.getByText("1 new, 0 changed, 0 unchanged.")).toBeVisible();
    await dialog.getByText("1 field not understood").click();
    await expect(dialog.getByText("input_cost_per_video_per_second")).toBeVisible();
    await expect(dialog.getByText("1.25 / 1M input")).toBeVisible();
    await expectAccessibleState(page);
    await dialog.getByRole("button", { name: "Set 1 price" }).click();
    await expect(page.getByRole("table", { name: "Prices" })).toContainText("10 / 1M output");
    await expect(page.getByRole("table", { name: "Not priced" })).toBeHidden();

    await page.getByRole("button", { name: "Set a markup" }).click();
    await page.getByRole("textbox", { name: "Percent" }).fill("100");
    await page.getByRole("button", { name: "Set markup" }).click();
    await expect(page.getByRole("table", { name: "Markups" })).toContainText("100 %");
    await expectAccessible(page);

    // 12 tokens in, 5 out: 0.000065 for the operator, twice that for the account.
    const messages = [{ role: "user", content: "Hello" }];
    await api.post("/chat/completions", { model: "svc/chat-1", messages });

    await page.getByRole("link", { name: "svc/chat-1" }).click();
    await expect(page.getByRole("table", { name: "Versions" })).toContainText("In force");
    await page.getByLabel("rate, row 1").evaluate((cell) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData(
        "text/plain",
        "What\tRate\tPer\nInput\t$2\t1M\nCached input\t0.2\t1,000,000\nOutput\tten\t1M",
      );
      cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
    await expect(
      page.getByText("Write an amount, such as 0.15, with at most twelve decimals."),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: "Set price" })).toBeDisabled();
    await page.getByLabel("rate, row 3").fill("8");
    await expect(page.getByText("This run costs 0.006 USD")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Set price" }).click();
    await expect(page.getByRole("table", { name: "Prices" })).toContainText("0.2 / 1M cached input");

    // The earlier run keeps its price.
    await page.goto(`${stack.consoleUrl}/operator/all-usage`);
    await expect(page.getByRole("table", { name: "By model" })).toContainText("0.000065 USD");
    await expect(page.getByRole("table", { name: "By model" })).toContainText("0.00013 USD");
    await expectAccessible(page);
    await page.goto(`${stack.consoleUrl}/usage`);
    await expect(page.getByRole("table", { name: "Cost by model" })).toContainText("0.00013 USD");
    await expect(page.getByText("0.000065")).toHaveCount(0);
    await expectAccessible(page);

    await openPage(page, `${stack.consoleUrl}/operator/all-usage/bill`);
    const day = new Date().toISOString().slice(0, 10);
    await page.locator("input[type=file]").setInputFiles({
      name: "bill.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`Date,Model,Cost (USD)\n${day},gpt-5-2025-08-07,0.0001\n${day},support,29\n`),
    });
    const differences = page.getByRole("table", { name: "Differences" });
    await expect(differences.getByRole("row", { name: /svc\/chat-1/ })).toContainText("0.000035");
    await differences.getByRole("button", { name: /^Runs of svc\/chat-1/ }).click();
    await expect(page.getByRole("table", { name: "Lines of runs" })).toContainText("output_token");
    await expectAccessibleState(page);
    await page.getByRole("button", { name: "Close" }).last().click();

    await page.goto(`${stack.consoleUrl}/playground/svc/chat-1/chat-completions`);
    await expect(page.getByRole("list", { name: "Before you run" })).toContainText(
      /(at most|about) 0\.\d+ USD/,
    );
  } finally {
    await stop();
    await upstream.close();
  }
});
