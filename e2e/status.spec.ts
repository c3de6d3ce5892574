import { expect, signedOut, test } from "./fixtures.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { complaintsOf } from "./pages/complaints.ts";
import { openPage } from "./pages/open-page.ts";

test("an incident is written, updated and resolved, for signed-in and signed-out people", async ({
  page,
  browser,
  stack,
}) => {
  const title = `Chats are slow ${Date.now()}`;
  await openPage(page, "/status-and-regions");
  await expect(page.getByText("No faults are known now.")).toBeVisible();
  await page.getByRole("button", { name: "Write an incident" }).click();
  const form = page.getByRole("dialog", { name: "Write an incident" });
  await form.getByRole("button", { name: "Publish" }).click();
  await expect(form.getByText("Enter a title.")).toBeVisible();
  await expect(form.getByText("Enter what is known.")).toBeVisible();
  await form.getByRole("textbox", { name: "Title" }).fill(title);
  await form.getByRole("textbox", { name: "Text" }).fill("We look into it.");
  await form.getByRole("checkbox", { name: "svc/chat-1", exact: true }).check();
  await form.getByRole("checkbox", { name: "us-virginia" }).check();
  await expectAccessibleState(page);
  await form.getByRole("button", { name: "Publish" }).click();
  const current = page.getByRole("region", { name: "Current incidents" });
  const card = current.getByRole("article").filter({ hasText: title });
  await expect(card).toContainText("Investigating");
  await expect(card).toContainText("svc/chat-1");
  await expectAccessible(page);

  const context = await browser.newContext({ ...signedOut, baseURL: stack.consoleUrl });
  const stranger = await context.newPage();
  const complaints = await complaintsOf(context, stranger);
  await stranger.goto("/public/status");
  await expect(stranger.getByRole("article").filter({ hasText: title })).toContainText("We look into it.");
  await expect(stranger.getByRole("list", { name: "Models" }).getByRole("listitem")).not.toHaveCount(0);
  await expect(stranger.getByRole("link", { name: "Sign in" })).toBeVisible();
  for (const name of ["Write an incident", "Add an update", "Delete"])
    await expect(stranger.getByRole("button", { name })).toHaveCount(0);
  await expectAccessible(stranger);
  expect(complaints).toEqual([]);
  await context.close();

  await card.getByRole("button", { name: "Add an update" }).click();
  const update = page.getByRole("dialog", { name: "Add an update" });
  await update.getByRole("combobox", { name: "Status" }).selectOption("Resolved");
  await update.getByRole("textbox", { name: "Text" }).fill("It was a cable.");
  await expectAccessibleState(page);
  await update.getByRole("button", { name: "Publish" }).click();
  const past = page.getByRole("region", { name: "Past incidents" });
  const resolved = past.getByRole("article").filter({ hasText: title });
  await expect(resolved).toContainText("It was a cable.");
  await resolved.getByRole("button", { name: `Delete ${title}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(resolved).toHaveCount(0);
});

test("each day of each model is in a table, and in words", async ({ page, seedData }) => {
  expect(seedData.prediction).toMatch(/^pred_/);
  await openPage(page, "/status-and-regions");
  const models = page.getByRole("region", { name: "Models" });
  await expect(
    models.getByRole("img", { name: /, last 30 days\. (No faults|Days with faults|Nothing ran)/ }).first(),
  ).toBeVisible();
  await models.getByText("Days as a table").click();
  const table = models.getByRole("table", { name: "Models by day" });
  await expect(table.getByRole("columnheader")).toHaveCount(31);
  await expect(table.getByRole("rowheader", { name: "svc/chat-1", exact: true })).toBeVisible();
  await expectAccessible(page);
});

test("operators' chats get notices of the installation", async ({ page, receiver }) => {
  await openPage(page, "/operator/mail");
  await page.getByRole("button", { name: "Add incoming webhook" }).click();
  const form = page.getByRole("dialog", { name: "Add incoming webhook" });
  await form.getByRole("textbox", { name: "Name" }).fill("on call");
  await form.getByLabel("URL").fill(`${receiver.url}/on-call`);
  await expect(form.getByRole("checkbox", { name: "The object store is full" })).toBeChecked();
  await expect(form.getByRole("checkbox", { name: "Somebody joined the account" })).toHaveCount(0);
  await form.getByRole("button", { name: "Add", exact: true }).click();
  const row = page.getByRole("row").filter({ hasText: "on call" });
  await row.getByRole("button", { name: "Send a test message to on call" }).click();
  await expect(page.getByText("Test message sent to on call")).toBeVisible();
  // Deliveries of other tests may still arrive here.
  expect(receiver.received.filter(({ path }) => path === "/on-call")).toHaveLength(1);
  await expectAccessible(page);
  await row.getByRole("button", { name: "Delete on call" }).click();
  await page.getByRole("dialog", { name: "Delete on call" }).getByRole("button", { name: "Delete" }).click();
  await expect(row).toHaveCount(0);
});
