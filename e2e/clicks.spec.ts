import type { Locator } from "@playwright/test";
import { test as base, expect } from "./fixtures.ts";
import { expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { until } from "./seed-data.ts";

const picture = { model: "svc/img-gen-b", quality: "low", size: "1024x1024", output_format: "png" };

/** Counts mouse clicks. The first call is in first-call.spec.ts, a photo on five models in compare.spec.ts. */
const test = base.extend<{ clicks: { click: (target: Locator) => Promise<void>; count: number } }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
  clicks: async ({}, use) => {
    const clicks = {
      count: 0,
      async click(target: Locator) {
        clicks.count += 1;
        await target.click();
      },
    };
    await use(clicks);
  },
});

for (const [what, model, run, result] of [
  ["picture", "svc/img-gen-a-1", "Run", "img"],
  ["answer", "svc/chat-1", "Send", "article"],
] as const)
  test(`from Home to the first ${what} in three clicks`, async ({ page, clicks }) => {
    await openPage(page, "/");
    await clicks.click(page.getByRole("link", { name: /^(Run a model|Open the catalog)$/ }).first());
    await clicks.click(page.getByRole("link", { name: `Try ${model}` }));
    await clicks.click(page.getByRole("main").getByRole("button", { name: run, exact: true }));
    const pane = page.getByRole("region", { name: what === "picture" ? "Result" : "Input" });
    await expect(pane.getByRole(result).first()).toBeVisible({ timeout: 30_000 });
    expect(clicks.count).toBe(3);
  });

test("from Home to an edit under a slider with the photo that it began with in four clicks", async ({
  page,
  clicks,
}) => {
  await openPage(page, "/");
  await clicks.click(page.getByRole("link", { name: /^(Run a model|Open the catalog)$/ }).first());
  await clicks.click(page.getByRole("link", { name: "Try svc/img-gen-a-1" }));
  await clicks.click(page.getByRole("link", { name: "image-editing" }));
  await expect(page.getByText("Example image")).toBeVisible();
  await clicks.click(page.getByRole("main").getByRole("button", { name: "Run", exact: true }));
  const line = page.getByRole("region", { name: "Result" }).getByRole("slider");
  await expect(line).toHaveAttribute("aria-valuetext", "50 % of Example image", { timeout: 30_000 });
  expect(clicks.count).toBe(4);
});

test("from a customer's name to the event that was sent again in four clicks", async ({
  page,
  ownerApi,
  receiver,
  clicks,
}) => {
  // Short, so that the list shows the receiver's address whole.
  const customer = `umbrella-${Date.now() % 1_000_000}`;
  const endpoint = await ownerApi.post("/webhooks/endpoints", { url: `${receiver.url}/${customer}` });
  await ownerApi.post("/images/generations", { ...picture, prompt: "an umbrella", metadata: { customer } });
  const arrived = () => receiver.received.filter(({ path }) => path === `/${customer}`).length;
  await expect.poll(arrived).toBe(1);

  await openPage(page, "/");
  const pages = page.getByRole("navigation", { name: "Pages" });
  await clicks.click(pages.getByRole("button", { name: "Developers" }));
  await clicks.click(pages.getByRole("link", { name: "Deliveries" }));
  await page.getByRole("searchbox", { name: "Metadata" }).fill(`customer=${customer}`);
  await page.keyboard.press("Enter");
  await page.waitForURL(/metadata=/);
  // Endpoints of other tests get the event too.
  const row = page.locator("tbody tr").filter({ hasText: `/${customer}` });
  await expect(row).toHaveCount(1);
  await clicks.click(row.getByRole("button", { name: "Send again" }));
  const dialog = page.getByRole("dialog", { name: "Send this event again?" });
  await clicks.click(dialog.getByRole("button", { name: "Send again" }));
  await expect.poll(arrived).toBe(2);
  expect(clicks.count).toBe(4);
  await ownerApi.delete(`/webhooks/endpoints/${endpoint.id}`);
});

test("a result is shown to a colleague in three clicks", async ({
  page,
  context,
  ownerApi,
  clicks,
  request,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { id } = await ownerApi.post("/images/generations", { ...picture, prompt: "a kite" });
  await until(async () => (await ownerApi.get(`/predictions/${id}`)).status === "succeeded" || undefined);
  await openPage(page, `/predictions/${id}`);
  await clicks.click(page.getByRole("button", { name: /^Share pred_/ }));
  const dialog = page.getByRole("dialog", { name: "Share" });
  await clicks.click(dialog.getByRole("button", { name: "Create link" }));
  await clicks.click(dialog.getByRole("button", { name: "Copy link" }));
  await expectAccessibleState(page);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect((await request.get(new URL(link).pathname)).ok()).toBe(true);
  expect(clicks.count).toBe(3);
});
