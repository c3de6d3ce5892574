import type { Page } from "@playwright/test";
import Stripe from "stripe";
import { expect, test } from "./fixtures.ts";
import type { GatewayApi } from "./gateway-api.ts";
import { keptInPage } from "./pages/credentials.ts";
import { openPage } from "./pages/open-page.ts";
import { SecretDialog } from "./pages/secret-dialog.ts";

const stripe = new Stripe("unused");

// Otherwise predictions of these tests would be sent to endpoints of earlier ones.
test.beforeEach(async ({ ownerApi }) => removeEndpoints(ownerApi));
test.afterAll(async ({ ownerApi }) => removeEndpoints(ownerApi));

test("the secret is shown once and is not lost by accident", async ({ page, receiver }) => {
  await openPage(page, "/webhooks/endpoints");
  await addEndpoint(page, `${receiver.url}/once`);
  const dialog = new SecretDialog(page, "signing secret");
  await expect(dialog.root).toBeVisible();
  await expect(dialog.root).not.toContainText(/whsec_[\w+/]/);
  await expect(dialog.done).toBeDisabled();

  await page.keyboard.press("Escape");
  await dialog.expectQuestionAndStay();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await dialog.expectQuestionAndStay();
  await page.mouse.click(8, 8);
  await dialog.expectQuestionAndStay();
  await page.goBack();
  await expect(page).toHaveURL(/\/webhooks\/endpoints$/);
  await dialog.expectQuestionAndStay();

  const asked = page.waitForEvent("dialog");
  const reload = page.reload({ timeout: 5_000 }).catch(() => null);
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  await reload;
  await expect(dialog.root).toBeVisible();

  const secret = await dialog.reveal();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const download = page.waitForEvent("download");
  await dialog.root.getByRole("button", { name: "Download as .env line" }).click();
  const saved = await (await download).createReadStream();
  expect(String((await saved.toArray()).join(""))).toContain(`WEBHOOK_SECRET=${secret}`);
  await dialog.close();

  await expect(page.getByRole("row", { name: new RegExp(`${receiver.port}/once`) })).toBeVisible();
  await expectSecretGone(page, secret);
});

test("the final event of a video arrives, verifies, and is in the log", async ({
  page,
  ownerApi,
  receiver,
}) => {
  await openPage(page, "/webhooks/endpoints");
  await addEndpoint(page, `${receiver.url}/video`);
  const secret = await new SecretDialog(page, "signing secret").takeAndClose();

  const prediction = await startVideo(ownerApi);
  const received = await receiver.next((one) => one.body.includes(prediction));
  const signature = String(received.headers["x-svc-signature"]);
  const event = stripe.webhooks.constructEvent(received.body, signature, secret);
  expect(event.type).toBe("prediction.succeeded");
  expect(() => stripe.webhooks.constructEvent(`${received.body} `, signature, secret)).toThrow(/signature/i);

  await openPage(page, `/webhooks/deliveries?prediction_id=${prediction}`);
  const row = page.getByRole("row").filter({ hasText: "prediction.succeeded" }).first();
  await expect(row).toContainText("Delivered");
  await row.getByRole("link", { name: "prediction.succeeded" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /prediction\.succeeded/ })).toBeVisible();
  const attempt = page.getByRole("button", { name: /Attempt 1/ });
  if ((await attempt.getAttribute("aria-expanded")) === "false") await attempt.click();
  await expect(page.getByText("204").first()).toBeVisible();
  await page.getByRole("tab", { name: "Request" }).click();
  await expect(page.getByRole("tabpanel", { name: "Request" })).toContainText("x-svc-signature");
  await expect(page.getByRole("tabpanel", { name: "Request" })).toContainText(prediction);
  await page.getByRole("tab", { name: "Timings" }).click();
  const timings = page.getByRole("tabpanel", { name: "Timings" });
  for (const phase of ["Connect", "TLS", "Waiting for response"])
    await expect(timings.getByText(phase, { exact: true })).toBeVisible();

  await openPage(page, `/predictions/${prediction}`);
  const deliveries = page.getByRole("region", { name: "Deliveries" });
  await expect(deliveries).toContainText("Delivered");
});

test("a delivery to a failing receiver is retried by hand and accepted", async ({
  page,
  ownerApi,
  receiver,
}) => {
  receiver.answer((_received, response) => response.writeHead(500).end("the queue is full"));
  const endpoint = await ownerApi.post("/webhooks/endpoints", { url: `${receiver.url}/flaky` });
  await ownerApi.post(`/webhooks/endpoints/${endpoint.id}/test`);
  await receiver.next((one) => one.path === "/flaky");

  await openPage(page, `/webhooks/deliveries?endpoint_id=${endpoint.id}`);
  const failed = page.getByRole("row").filter({ hasText: "endpoint.test" }).first();
  await expect(failed).toContainText("Failed");
  await expect(failed).toContainText("500");
  await failed.getByRole("link", { name: "endpoint.test" }).click();
  const why = page.getByRole("region", { name: "Why it failed" });
  await expect(why).toContainText("The receiver answered 500");
  await expect(why).toContainText("the queue is full");

  const before = page.url();
  await page.getByRole("button", { name: "Retry", exact: true }).click();
  await expect(page.getByText("Queued", { exact: true })).toBeVisible();
  // The receiver accepts only from now on, so that the automatic next attempt does not deliver the event
  // before the click.
  receiver.answer((_received, response) => response.writeHead(204).end());
  await page.waitForURL((url) => url.href !== before);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Delivered");
  await expect(why).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Retry", exact: true })).toHaveCount(0);
  const arrived = receiver.received.length;
  await page.getByRole("button", { name: "Send again", exact: true }).first().click();
  const question = page.getByRole("dialog", { name: "Send this event again?" });
  await question.getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => receiver.received.length).toBeGreaterThan(arrived);
  await expect(page.getByRole("heading", { level: 3, name: "Sent again" })).toBeVisible();
});

test("many deliveries are retried at once, after a count", async ({ page, ownerApi, receiver }) => {
  receiver.answer((_received, response) => response.writeHead(503).end());
  const endpoint = await ownerApi.post("/webhooks/endpoints", { url: `${receiver.url}/bulk` });
  for (let sent = 0; sent < 3; sent++) await ownerApi.post(`/webhooks/endpoints/${endpoint.id}/test`);
  await openPage(page, `/webhooks/deliveries?endpoint_id=${endpoint.id}`);
  await expect(page.getByRole("row").filter({ hasText: "Failed" })).toHaveCount(3);

  await page.getByRole("button", { name: /Retry all matching/i }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("status")).toContainText(/3 deliveries can be retried, of 3/);
  await dialog.getByRole("button", { name: "Retry 3" }).click();
  await expect(dialog).toContainText("Queued 3, skipped 0");
  // The receiver accepts only from now on, so that no automatic retry delivers an event between the count and
  // the click.
  receiver.answer((_received, response) => response.writeHead(204).end());
  await expect(dialog.getByRole("row").filter({ hasText: "Queued as" })).toHaveCount(3);
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect(page.getByRole("row").filter({ hasText: "Delivered" })).toHaveCount(3);
});

test("the URL contains the filters, and Back removes them one by one", async ({ page, seedData }) => {
  // Filtered, so that other tests' deliveries do not push the delivery off the first page.
  await openPage(page, `/webhooks/deliveries?prediction_id=${seedData.prediction}`);
  const own = page.locator(`a[data-row-link][href*="${seedData.delivery}"]`).first();
  await expect(own).toBeVisible();
  await page.getByRole("combobox", { name: "Status" }).selectOption("delivered");
  await page.waitForURL(/status=delivered/);
  await page.getByRole("combobox", { name: "Response" }).selectOption("5xx");
  await expect(own).toBeHidden();
  await page.goBack();
  await expect(own).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Response" })).toHaveValue("");
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Status" })).toHaveValue("delivered");
  await page.goBack();
  await expect(page.getByRole("combobox", { name: "Status" })).toHaveValue("");
});

test("deliveries of a disabled endpoint wait, those of an enabled one are sent", async ({
  page,
  ownerApi,
  receiver,
}) => {
  const endpoint = await ownerApi.post("/webhooks/endpoints", { url: `${receiver.url}/paused` });
  await openPage(page, `/webhooks/endpoints/${endpoint.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Disable…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await expect(page.getByText("This endpoint is disabled. New deliveries wait.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test event" })).toBeDisabled();
  await page.getByRole("button", { name: "Enable" }).click();
  await expect(page.getByText("This endpoint is disabled. New deliveries wait.")).toBeHidden();
  await page.getByRole("button", { name: "Send test event" }).click();
  const event = await receiver.next((one) => one.path === "/paused");
  expect(JSON.parse(event.body)).toMatchObject({ type: "endpoint.test" });
});

test("deliveries waiting for a disabled endpoint are counted, and sent or dropped when it is enabled", async ({
  page,
  ownerApi,
  receiver,
}) => {
  const endpoint = await ownerApi.post("/webhooks/endpoints", { url: `${receiver.url}/waiting` });
  await ownerApi.patch(`/webhooks/endpoints/${endpoint.id}`, { status: "disabled" });
  const prediction = await startVideo(ownerApi);
  await openPage(page, `/webhooks/endpoints/${endpoint.id}`);
  await expect(page.getByText("1 delivery waits. When you choose Enable")).toBeVisible({ timeout: 60_000 });
  await page.getByRole("button", { name: "Enable…" }).click();
  const dialog = page.getByRole("dialog", { name: "Enable this endpoint?" });
  await expect(dialog).toContainText("1 delivery waits");
  await dialog.getByRole("button", { name: "Enable and send" }).click();
  await expect(page.getByText("Endpoint enabled: 1 delivery queued")).toBeVisible();
  const event = await receiver.next((one) => one.path === "/waiting");
  expect(event.body).toContain(prediction);
});

test("a rotated secret signs in addition to the old one", async ({ page, ownerApi, receiver }) => {
  const endpoint = await ownerApi.post("/webhooks/endpoints", { url: `${receiver.url}/rotated` });
  await openPage(page, `/webhooks/endpoints/${endpoint.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Rotate secret…" }).click();
  await page.getByRole("button", { name: "Create new secret" }).click();
  const secret = await new SecretDialog(page, "new signing secret").takeAndClose();
  expect(secret).not.toBe(endpoint.secret);
  await expectSecretGone(page, secret);

  await page.getByRole("button", { name: "Send test event" }).click();
  const { body, headers } = await receiver.next((one) => one.path === "/rotated");
  const signature = String(headers["x-svc-signature"]);
  expect(stripe.webhooks.constructEvent(body, signature, secret).type).toBe("endpoint.test");
  expect(stripe.webhooks.constructEvent(body, signature, String(endpoint.secret)).type).toBe("endpoint.test");
});

test("a forbidden address is refused at its field", async ({ page }) => {
  await openPage(page, "/webhooks/endpoints");
  await addEndpoint(page, "https://169.254.169.254/latest/meta-data");
  const field = page.getByRole("textbox", { name: "URL" });
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toBeFocused();

  await field.fill("http://localhost:8080/hook");
  await page.keyboard.press("Enter");
  await expect(field).toHaveAccessibleDescription(/gatehouse listen/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: "Local development" })).toContainText("gatehouse -- listen");
});

async function addEndpoint(page: Page, url: string): Promise<void> {
  await page.getByRole("button", { name: "Add endpoint" }).first().click();
  const form = page.getByRole("dialog", { name: "Add endpoint" });
  await form.getByRole("textbox", { name: "URL" }).fill(url);
  await form.getByRole("button", { name: "Add endpoint" }).click();
}

async function removeEndpoints(api: GatewayApi): Promise<void> {
  const { data } = (await api.get("/webhooks/endpoints?limit=100")) as { data: { id: string }[] };
  await Promise.all(data.map(({ id }) => api.delete(`/webhooks/endpoints/${id}`)));
}

async function startVideo(api: GatewayApi): Promise<string> {
  const prediction = await api.post("/videos", {
    model: "svc/vid-t2v",
    prompt: "a kite",
    duration: 2,
    resolution: "720P",
  });
  return String(prediction.id);
}

/** Neither the current page, nor a reloaded one, nor any storage contains the secret. */
async function expectSecretGone(page: Page, secret: string): Promise<void> {
  expect((await keptInPage(page)).includes(secret)).toBe(false);
  const url = page.url();
  const html = await (await page.request.get(url)).text();
  const payload = await (await page.request.get(url, { headers: { rsc: "1" } })).text();
  expect(html.includes(secret)).toBe(false);
  expect(payload.includes(secret)).toBe(false);
}
