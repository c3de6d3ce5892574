import type { Page } from "@playwright/test";
import { withDatabase } from "./database.ts";
import { expect, signedOut, test } from "./fixtures.ts";
import { asBucket } from "./pages/bucket.ts";
import { openPage } from "./pages/open-page.ts";
import type { Stack } from "./stack.ts";

const runs = 20;
const kept = 3;
const hour = 3_600;
const tiles = (page: Page) => page.getByRole("gridcell").getByRole("button");

test("of twenty runs three are kept, one is shared and one copied; a day later only the kept outputs exist", async ({
  page,
  browser,
  stack,
  ownerApi,
  receiver,
}) => {
  const walk = `${Date.now()}`;
  const { sizes } = asBucket(receiver);
  const destination = await ownerApi.post("/destinations", {
    ...{ name: `Bucket ${walk}`, endpoint_url: receiver.url, region: "us-east-1", bucket: "walk" },
    ...{ access_key_id: "AKIATEST", secret_access_key: "the-secret-access-key-of-this-test" },
  });
  for (let run = 0; run < runs; run += 1)
    await ownerApi.post("/images/generations", {
      ...{ model: "svc/img-gen-b", prompt: `buoy ${run} of ${walk}`, metadata: { walk } },
      ...{ size: "1024x1024", quality: "low", output_format: "jpeg" },
    });
  const outputs = async () =>
    (await ownerApi.get(`/outputs?metadata=walk%3D${walk}&limit=100`)).data as Made[];
  await expect.poll(async () => (await outputs()).length, { timeout: 240_000 }).toBe(runs);

  const gallery = `/predictions?view=gallery&metadata=walk%3D${walk}`;
  const viewer = page.getByRole("dialog", { name: /^Image/ }).first();
  await test.step("the user keeps three outputs by keyboard, and shares the last one", async () => {
    await openPage(page, gallery);
    await expect(page.getByText(`${runs} files`)).toBeVisible();
    await tiles(page).first().focus();
    for (let time = 1; time <= kept; time += 1) {
      await page.keyboard.press("Space");
      await viewer.getByRole("button", { name: "Keep in the library" }).press("Enter");
      await expect(viewer.getByRole("button", { name: /^Kept/ })).toBeVisible();
      if (time === kept) break;
      await page.keyboard.press("Escape");
      await page.keyboard.press("ArrowRight");
      await expect(tiles(page).nth(time)).toBeFocused();
    }
    await viewer.getByRole("button", { name: "Share" }).press("Enter");
  });
  const share = page.getByRole("dialog", { name: "Share" });
  await share.getByRole("button", { name: "Create link" }).press("Enter");
  const link = await share.getByRole("textbox", { name: "Link" }).inputValue();
  const address = stack.consoleUrl + new URL(link).pathname;

  const made = await outputs();
  const [short] = made.filter((output) => !output.kept);
  const ending = await ownerApi.post(`/outputs/${short?.id}/shares`, { expires_in: hour });
  const endingAddress = stack.consoleUrl + new URL(String(ending.url)).pathname;

  const context = await browser.newContext({ ...signedOut, baseURL: stack.consoleUrl });
  const stranger = await context.newPage();
  const opens = async (where: string) => {
    await stranger.goto(where);
    await expect(stranger.getByRole("heading", { name: "Shared image" })).toBeVisible();
    await expect(stranger.getByRole("img", { name: /^Output of/ })).toHaveJSProperty("naturalWidth", 1024);
  };
  const isDead = async (where: string) => {
    expect((await stranger.goto(where))?.status()).toBe(404);
    await expect(stranger.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  };
  await opens(address);
  await opens(endingAddress);

  await test.step("the user revokes the link", async () => {
    await share.getByRole("link", { name: "Shared links" }).click();
    await page
      .getByRole("button", { name: /^Revoke link/ })
      .nth(1)
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke link" }).click();
    await expect(page.getByText("Link revoked. It no longer works.")).toBeVisible();
    await isDead(address);
  });

  await test.step("the user copies one output to the bucket", async () => {
    await openPage(page, `/predictions/${short?.prediction_id}`);
    await page
      .getByRole("button", { name: /^Copy to…/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: new RegExp(walk) }).click();
    await expect.poll(() => [...sizes.values()]).toEqual([short?.size_bytes]);
  });

  await dayLater(stack, walk);
  await expect.poll(async () => (await outputs()).length, { timeout: 60_000 }).toBe(0);
  for (const { id, url, kept: isKept } of made) {
    if (isKept) continue;
    const status = async () => (await fetch(url)).status;
    await expect.poll(status, { message: `the file of ${id}`, timeout: 60_000 }).toBe(410);
  }
  await isDead(endingAddress);
  await context.close();

  await openPage(page, `/library?search=${walk}`);
  const cards = page.getByRole("list", { name: "Kept files" }).getByRole("button", { name: walk });
  await expect(cards).toHaveCount(kept);
  for (const card of await cards.all())
    await expect(card.locator("img").first()).not.toHaveJSProperty("naturalWidth", 0, { timeout: 60_000 });
  await openPage(page, gallery);
  await expect(page.getByRole("heading", { name: "No files match these filters" })).toBeVisible();

  await ownerApi.delete(`/destinations/${destination.id}`);
});

interface Made {
  id: string;
  prediction_id: string;
  url: string;
  size_bytes: number;
  kept: object | null;
}

/** Moves everything that the test made 25 hours into the past, including its links. */
function dayLater(stack: Stack, walk: string): Promise<void> {
  return withDatabase(stack, async (client) => {
    const ofWalk = "metadata ->> 'walk' = $1";
    for (const statement of [
      `update shares set expires_at = expires_at - interval '25 hours'`,
      `update outputs set expires_at = expires_at - interval '25 hours' where ${ofWalk}`,
      `update predictions set expires_at = expires_at - interval '25 hours' where ${ofWalk}`,
    ])
      await client.query(statement, statement.includes("$1") ? [walk] : []);
  });
}
