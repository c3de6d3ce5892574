import { expect, test } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { SecretDialog } from "./pages/secret-dialog.ts";

test("a key gets a budget, spends it, and gets a larger one", async ({ page, stack }) => {
  const name = "weekly digest";
  await openPage(page, "/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const form = page.getByRole("dialog", { name: "Create key" });
  await form.getByRole("textbox", { name: "Name" }).fill(name);
  await form.getByText("Budgets", { exact: true }).click();
  const tokens = form.getByRole("textbox", { name: "Chat tokens" });
  await tokens.fill("ten");
  // Errors are found even in a collapsed section.
  await form.getByText("Budgets", { exact: true }).click();
  await form.getByRole("button", { name: "Create key" }).click();
  await expect(tokens).toBeFocused();
  await expect(tokens).toHaveAttribute("aria-invalid", "true");
  await tokens.fill("10");
  await form.getByRole("button", { name: "Create key" }).click();
  const secret = await new SecretDialog(page, "account key").takeAndClose();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("0 of 10 tokens this month");

  const program = new GatewayApi(stack.gatewayUrl, secret);
  const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "hello" }] };
  await program.post("/chat/completions", chat);
  const refused = await program.send("POST", "/chat/completions", chat);
  expect(refused.status).toBe(402);
  await page.reload();
  await expect(row).toContainText(/Used up: \d+ of 10 tokens this month/);
  await expectAccessible(page);

  await row.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Edit budget…" }).click();
  const dialog = page.getByRole("dialog", { name: `Budgets of “${name}”` });
  await expect(dialog.getByRole("textbox", { name: "Chat tokens" })).toHaveValue("10");
  await dialog.getByRole("textbox", { name: "Chat tokens" }).fill("1000");
  await dialog.getByRole("button", { name: "Save budgets" }).click();
  await expect(row).toContainText(/\d of 1,000 tokens this month/);
  await expect(row).not.toContainText("Used up");
});
