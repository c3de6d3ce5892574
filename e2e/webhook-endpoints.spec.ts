import { expect, test } from "./fixtures.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { SecretDialog } from "./pages/secret-dialog.ts";

test.afterAll(async ({ ownerApi }) => {
  const { data } = (await ownerApi.get("/webhooks/endpoints?limit=100")) as { data: { id: string }[] };
  await Promise.all(data.map(({ id }) => ownerApi.delete(`/webhooks/endpoints/${id}`)));
});

test("an endpoint gets headers, a rate and a filter, and the header values are never shown again", async ({
  page,
  receiver,
}) => {
  await openPage(page, "/webhooks/endpoints");
  await page.getByRole("button", { name: "Add endpoint" }).first().click();
  const form = page.getByRole("dialog", { name: "Add endpoint" });
  await form.getByRole("textbox", { name: "URL" }).fill(`${receiver.url}/own`);
  await form.getByText("Headers, rate, signature, filters").click();
  await form.getByRole("button", { name: "Add header" }).click();
  await form.getByRole("textbox", { name: "Name of header 1" }).fill("Host");
  await form.getByRole("textbox", { name: "Value of header 1" }).fill("secret-of-the-receiver");
  await form.getByRole("textbox", { name: "Requests per second" }).fill("5");
  await form.getByRole("checkbox", { name: /key pair/ }).check();
  await expectAccessibleState(page);
  await form.getByRole("button", { name: "Add endpoint" }).click();
  await expect(form.getByText(/host is set by the gateway/)).toBeVisible();
  await form.getByRole("textbox", { name: "Name of header 1" }).fill("x-team-token");
  await form.getByRole("button", { name: "Add endpoint" }).click();
  await new SecretDialog(page, "signing secret").takeAndClose();

  await page.getByRole("link", { name: /\/own/ }).click();
  await expect(page.getByText("x-team-token")).toBeVisible();
  await expect(page.getByText("at most 5 per second")).toBeVisible();
  await expect(page.getByText(/^whpk_/)).toBeVisible();
  expect(await page.content()).not.toContain("secret-of-the-receiver");
  await page.getByRole("button", { name: "Edit" }).click();
  const edit = page.getByRole("dialog", { name: "Edit endpoint" });
  await expect(edit.getByRole("textbox", { name: "Value of header 1" })).toHaveValue("");
  await edit.getByRole("textbox", { name: "Requests per second" }).fill("0");
  await edit.getByRole("button", { name: "Save changes" }).click();
  await expect(edit.getByText(/Enter a whole number/)).toBeVisible();
  await edit.getByRole("textbox", { name: "Requests per second" }).fill("7");
  await edit.getByRole("checkbox", { name: "svc/vid-t2v", exact: true }).check();
  await edit.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("at most 7 per second")).toBeVisible();
  await page.getByRole("button", { name: "Send test event" }).click();
  const { headers } = await receiver.next(({ path }) => path === "/own");
  expect(headers["webhook-signature"]).toMatch(/^v1,\S+ v1a,\S+$/);
  expect(headers["x-team-token"]).toBe("secret-of-the-receiver");
  await expectAccessible(page);
});

test("a paused endpoint shows that events wait, and one button resumes it", async ({
  page,
  ownerApi,
  receiver,
}) => {
  const endpoint = await ownerApi.post("/webhooks/endpoints", { url: `${receiver.url}/pause` });
  await openPage(page, `/webhooks/endpoints/${endpoint.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Pause…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("This endpoint is paused.")).toBeVisible();
  await expectAccessibleState(page);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("This endpoint is paused.")).toBeHidden();
});

test("events that an endpoint has accepted are counted and sent again, in the background", async ({
  page,
  ownerApi,
  receiver,
}) => {
  const endpoint = await ownerApi.post("/webhooks/endpoints", { url: `${receiver.url}/again` });
  const key = await ownerApi.post("/videos", { model: "svc/vid-t2v", prompt: "a pine", duration: 5 });
  const first = await receiver.next(({ path, body }) => path === "/again" && body.includes(String(key.id)));
  await openPage(page, `/webhooks/endpoints/${endpoint.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Send events again…" }).click();
  const dialog = page.getByRole("dialog", { name: "Send events again" });
  await expect(dialog.getByText("No events to send.")).toBeVisible();
  await dialog.getByText("All events").click();
  await expect(dialog.getByText("1 event will be sent.")).toBeVisible();
  await expectAccessibleState(page);
  await dialog.getByRole("button", { name: "Send 1 event again" }).click();
  await expect(page.getByRole("heading", { name: "Sending events again" })).toBeVisible();
  await expect(page.getByText("Done: 1 of 1 event queued again.")).toBeVisible();
  await expect
    .poll(() => receiver.received.filter(({ body }) => body === first.body).length)
    .toBeGreaterThan(1);
  await expectAccessible(page);
});

test("the page of event types shows the example and the schema of each", async ({ page }) => {
  await openPage(page, "/webhooks/endpoints");
  await page.getByRole("link", { name: "All types of events" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Event types" })).toBeVisible();
  await page.getByRole("link", { name: "delivery.exhausted" }).click();
  await expect(page.getByRole("figure", { name: "Example of delivery.exhausted" })).toContainText(
    "dead-letter",
  );
  await expect(page.getByRole("figure", { name: "Schema of delivery.exhausted" })).toContainText(
    "properties",
  );
});

test("endpoints of a status are selected by keyboard, paused together, and enabled again by Undo", async ({
  page,
  ownerApi,
  receiver,
}) => {
  const paths = ["many-1", "many-2", "many-3"];
  for (const path of paths) await ownerApi.post("/webhooks/endpoints", { url: `${receiver.url}/${path}` });
  await openPage(page, "/webhooks/endpoints?search=many");
  const rows = page.getByRole("table", { name: "Endpoints" }).getByRole("row").filter({ hasText: "many-" });
  await expect(rows).toHaveCount(3);
  await rows.first().getByRole("checkbox").focus();
  await page.keyboard.press("Shift+ArrowDown");
  const bar = page.getByRole("group", { name: "Selection" });
  await expect(bar.getByText("2 endpoints selected")).toBeVisible();
  await expectAccessibleState(page);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 endpoints paused")).toBeVisible();
  await expect(bar).toBeHidden();
  await expect(rows.filter({ hasText: "Paused" })).toHaveCount(2);

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("2 endpoints changed back")).toBeVisible();
  await expect(rows.filter({ hasText: "Enabled" })).toHaveCount(3);

  await page.getByRole("combobox", { name: "Status" }).selectOption({ label: "Paused" });
  await expect(page.getByText("No endpoints match these filters.")).toBeVisible();
});
