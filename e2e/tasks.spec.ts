import { expect, test } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { SecretDialog } from "./pages/secret-dialog.ts";

test("a key is capped per task; a task is found below Usage, raised, ended and raised again", async ({
  page,
  stack,
}) => {
  const value = `ticket-${Date.now()}`;
  await openPage(page, "/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const form = page.getByRole("dialog", { name: "Create key" });
  await form.getByRole("textbox", { name: "Name" }).fill("ticket agent");
  await form.getByText("Budgets", { exact: true }).click();
  await form.getByRole("textbox", { name: "Runs per task" }).fill("1");
  await form.getByRole("button", { name: "Create key" }).click();
  await expect(form.getByText(/Enter the metadata key that names a task/)).toBeVisible();
  await form.getByRole("textbox", { name: "Metadata key" }).fill("session");
  await expectAccessibleState(page);
  await form.getByRole("button", { name: "Create key" }).click();
  const secret = await new SecretDialog(page, "account key").takeAndClose();
  const keyRow = page.getByRole("row").filter({ hasText: "Each session: at most 1 run." });
  await expect(keyRow).toContainText("ticket agent");

  const agent = new GatewayApi(stack.gatewayUrl, secret);
  const chat = { model: "svc/chat-1", messages: [{ role: "user", content: "hello" }] };
  const run = async () =>
    (await agent.send("POST", "/chat/completions", { ...chat, metadata: { session: value } })).status;
  expect([await run(), await run()]).toEqual([200, 402]);

  await openPage(page, "/usage");
  await page.getByRole("link", { name: "Tasks" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Tasks" })).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: value });
  await expect(row).toContainText("At its cap");
  await expect(row).toContainText("session, cap of ticket agent");
  await expectAccessible(page);

  await row.getByRole("button", { name: `Raise ${value}` }).click();
  const raise = page.getByRole("dialog", { name: `Raise “${value}”` });
  await expect(raise.getByRole("textbox", { name: "Runs" })).toHaveValue("2");
  await raise.getByRole("textbox", { name: "Runs" }).fill("0");
  await raise.getByRole("button", { name: "Raise" }).click();
  await expect(raise.getByText("Enter at least 1. This form can only raise a cap.")).toBeVisible();
  await expectAccessibleState(page);
  await raise.getByRole("textbox", { name: "Runs" }).fill("3");
  await raise.getByRole("button", { name: "Raise" }).click();
  await expect(row).toContainText("Open");
  expect(await run()).toBe(200);

  await row.getByRole("button", { name: `End ${value}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End task" }).click();
  await expect(row).toContainText("Runs are rejected until the cap is raised");
  expect(await run()).toBe(402);
  await row.getByRole("button", { name: `Raise ${value}` }).click();
  await raise.getByRole("button", { name: "Raise" }).click();
  await expect(row).toContainText("Open");
  expect(await run()).toBe(200);
});
