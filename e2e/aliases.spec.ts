import { expect, test } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

test("an alias is created, used by a program, changed, deleted and restored", async ({
  page,
  stack,
  ownerApi,
}) => {
  await openPage(page, "/aliases");
  await page.getByRole("button", { name: "Add alias" }).first().click();
  const form = page.getByRole("dialog", { name: "Add alias" });
  await form.getByRole("button", { name: "Add alias" }).click();
  await expect(form.getByText("Enter a name.")).toBeVisible();
  await expect(form.getByText("Choose at least one model.")).toBeVisible();
  await form.getByRole("textbox", { name: "Name" }).fill("svc/chat-1");
  const add = form.getByRole("combobox", { name: "Add a model" });
  await add.selectOption("svc/chat-1");
  // The following models must be able to do the same as the first one.
  await expect(add.locator("option", { hasText: "svc/vid-t2v" })).toHaveCount(0);
  await add.selectOption("svc/chat-2");
  await form.getByRole("button", { name: "Try svc/chat-2 earlier" }).click();
  await expect(form.getByText("run on svc/chat-2")).toBeVisible();
  await expectAccessible(page);
  await form.getByRole("button", { name: "Add alias" }).click();
  await expect(
    form.getByText("svc/chat-1 is already the name of a model. Choose another name."),
  ).toBeVisible();
  await form.getByRole("textbox", { name: "Name" }).fill("my model");
  await expect(form.getByText(/^Use letters, digits and/)).toBeVisible();
  await form.getByRole("textbox", { name: "Name" }).fill("gpt-5");
  await form.getByRole("button", { name: "Add alias" }).click();
  const row = page.getByRole("row").filter({ hasText: "gpt-5" });
  await expect(row).toContainText("Requests for gpt-5 run on svc/chat-2. If svc/chat-2 is busy,");
  await expectAccessible(page);

  const { secret } = (await ownerApi.post("/keys", { name: "agent" })) as { secret: string };
  const program = new GatewayApi(stack.gatewayUrl, secret);
  const chat = {
    model: "gpt-5",
    messages: [{ role: "user", content: "hello" }],
    metadata: { customer: "acme" },
  };
  expect(await program.post("/chat/completions", chat)).toMatchObject({ model: "svc/chat-2" });

  await row.getByRole("button", { name: "Change gpt-5" }).click();
  const dialog = page.getByRole("dialog", { name: "Change gpt-5" });
  await dialog.getByRole("button", { name: "Remove svc/chat-2" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("Requests for gpt-5 run on svc/chat-1.");
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect(row).toContainText("run on svc/chat-2.");
  await row.getByRole("button", { name: "Delete gpt-5" }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).last().click();
  await expect(row).toContainText("run on svc/chat-2.");
  expect(await program.post("/chat/completions", chat)).toMatchObject({ model: "svc/chat-2" });

  // The link of the error for an unknown model opens the dialog with the name, until the alias exists.
  await openPage(page, "/aliases?name=acme%2Fgpt-6");
  const given = page.getByRole("dialog", { name: "Add alias" });
  await expect(given.getByRole("textbox", { name: "Name" })).toHaveValue("acme/gpt-6");
  await given.getByRole("combobox", { name: "Add a model" }).selectOption("svc/chat-1");
  await given.getByRole("button", { name: "Add alias" }).click();
  await expect(page.getByRole("row").filter({ hasText: "acme/gpt-6" })).toContainText("run on svc/chat-1");
  await openPage(page, "/aliases?name=acme%2Fgpt-6");
  await expect(page.getByRole("row").filter({ hasText: "acme/gpt-6" })).toBeVisible();
  await expect(given).toHaveCount(0);

  // The log has both names, and its filter finds the customer's requests.
  await expect.poll(() => requestsOf(ownerApi)).toBe(2);
  await openPage(page, "/requests");
  const filter = page.getByRole("searchbox", { name: "Metadata" });
  await filter.fill("customer");
  await filter.press("Enter");
  await expect(page.getByText("Write key=value.")).toBeVisible();
  await filter.fill("customer=acme");
  await filter.press("Enter");
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText("as gpt-5");
  await expect(rows.nth(1).getByRole("link", { name: "customer=acme" })).toBeVisible();
  await expectAccessible(page);
});

test("usage is grouped by a metadata key that the owner chooses", async ({ page, ownerApi }) => {
  await openPage(page, "/settings");
  const form = page.getByRole("region", { name: "Usage by metadata" });
  await form.getByRole("textbox", { name: "Key", exact: true }).fill("project");
  await form.getByRole("button", { name: "Save keys" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  const metadata = { project: "lighthouse" };
  const messages = [{ role: "user", content: "hello" }];
  await ownerApi.post("/chat/completions", { model: "svc/chat-1", messages, metadata });
  await openPage(page, "/usage?unit=token");
  const table = page.getByRole("table", { name: "Tokens by project" });
  await expect(table.getByRole("row").filter({ hasText: "lighthouse" })).toBeVisible();
  await expectAccessible(page);
});

async function requestsOf(api: GatewayApi): Promise<number> {
  const { data } = (await api.get("/requests?metadata=customer%3Dacme")) as { data: unknown[] };
  return data.length;
}
