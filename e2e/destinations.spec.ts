import { maxCopyAttempts } from "../contract/copy-constants.ts";
import { withDatabase } from "./database.ts";
import { expect, test } from "./fixtures.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { asBucket } from "./pages/bucket.ts";
import { openPage } from "./pages/open-page.ts";

test.describe.configure({ timeout: 120_000 });

const secret = "the-secret-access-key-of-this-test";

test("a bucket is added and tested, a file is copied to it, and a failed copy is retried", async ({
  page,
  ownerApi,
  receiver,
  stack,
}) => {
  const { sizes, state } = asBucket(receiver);
  const made = await ownerApi.post("/images/generations", {
    model: "svc/img-gen-b",
    prompt: "a lighthouse",
    quality: "low",
    size: "1024x1024",
    output_format: "png",
  });
  await openPage(page, "/destinations");
  await page.getByRole("button", { name: "Add destination" }).first().click();
  const form = page.getByRole("dialog", { name: "Add destination" });
  await form.getByRole("button", { name: "Test", exact: true }).click();
  await expect(form.getByText("Enter the name of the bucket.")).toBeVisible();
  await form.getByRole("textbox", { name: "Name" }).fill("Gallery");
  await form.getByRole("textbox", { name: "Server" }).fill(receiver.url);
  await form.getByRole("textbox", { name: "Bucket" }).fill("gallery");
  await form.getByRole("textbox", { name: "Access key id" }).fill("AKIATEST");
  await form.getByLabel("Secret access key").fill(secret);
  state.refuses = true;
  await form.getByRole("button", { name: "Test", exact: true }).click();
  await expect(form.getByText("These keys may not write to this bucket.")).toBeVisible();
  await expectAccessibleState(page);
  state.refuses = false;
  await form.getByRole("button", { name: "Test", exact: true }).click();
  await expect(form.getByText("The test worked.")).toBeVisible();
  await form.getByText("Files of chosen models").click();
  await form.getByRole("textbox", { name: "Models" }).fill("svc/tts-a-1");
  await form.getByRole("button", { name: "Add destination" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /Gallery/ })).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  const id = page.url().split("/").at(-1);

  await openPage(page, `/predictions/${made.id}`);
  await page
    .getByRole("button", { name: /^Copy to…/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: /Gallery/ }).click();
  await page.getByRole("button", { name: "Open log" }).click();
  const table = page.getByRole("table", { name: "Copies" });
  await expect(table.getByText("Copied", { exact: true })).toBeVisible();
  expect([...sizes.keys()]).toEqual([`/gallery/gatehouse/${made.id}/1.png`]);
  await table.getByRole("button", { name: /^Attempts of/ }).click();
  await expect(
    page.getByRole("dialog", { name: "Attempts" }).getByText("200", { exact: true }),
  ).toBeVisible();
  await page.keyboard.press("Escape");

  state.refuses = true;
  await page.getByRole("button", { name: "Edit" }).click();
  const edit = page.getByRole("dialog", { name: "Edit destination" });
  await edit.getByText("Files of all models").click();
  await edit.getByRole("button", { name: "Save changes" }).click();
  await ownerApi.post("/images/generations", { model: "svc/img-gen-a-1", prompt: "a buoy", size: "256x256" });
  await expect(page.getByText("The latest attempt failed")).toBeVisible();
  // The attempts of a copy take 15 hours, so all but the last are moved into the past.
  await withDatabase(stack, (client) =>
    client.query(
      "update copies set tries = $2, next_attempt_at = now() where destination_id = $1 and status = 'pending'",
      [id, maxCopyAttempts - 1],
    ),
  );
  // New rows wait while somebody is reading the list; this one may have come before.
  const fresh = page.getByRole("button", { name: "1 new" });
  const row = table.getByText("These keys may not write to this bucket.").first();
  await expect(async () => {
    if (await fresh.isVisible()) await fresh.click({ timeout: 1_000 });
    await expect(row).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const retryAll = page.getByRole("button", { name: /Retry all failed \(1\)/ });
  await expect(retryAll).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  state.refuses = false;
  await retryAll.click();
  await expect(table.getByText("Copied", { exact: true })).toHaveCount(2);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await expect(page.getByText("This destination is paused.")).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete destination" }).click();
  await expect(page).toHaveURL(/\/destinations$/);
  await expect(page.locator(`a[href$="/destinations/${id}"]`)).toHaveCount(0);
});
