import type { Page } from "@playwright/test";
import { makeKey } from "./command-line.ts";
import { expect, signedOut, test } from "./fixtures.ts";
import { openPage } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";
import { SecretDialog } from "./pages/secret-dialog.ts";
import { signInWithKey } from "./pages/sign-in.ts";
import { startStack } from "./stack.ts";

test.use(signedOut);

test("with a gateway without extensions one can browse, run, follow, upload, register, list and retry", async ({
  page,
}) => {
  const { stack, stop } = await startStack({
    // Failed deliveries are only sent again by hand, because their own next attempt is far in the future.
    settings: { GATEWAY_EXTENSIONS: "off", WEBHOOK_BACKOFF_BASE_MS: "600000" },
  });
  const { startReceiver } = await import("../gateway/testing/receiver.ts");
  const receiver = await startReceiver(stack.certificate, stack.receiverPorts[0]);
  receiver.answer((_received, response) => response.writeHead(500).end());
  try {
    const at = (path: string) => stack.consoleUrl + path;
    await signInWithKey(page, stack.consoleUrl, makeKey(stack));
    await openPage(page, at("/catalog"));
    await expect(page.getByText(/^\d+ models$/)).toBeVisible();

    await openPage(page, at("/webhooks/endpoints"));
    await page.getByRole("button", { name: "Add endpoint" }).first().click();
    await page.getByRole("textbox", { name: "URL" }).fill(`${receiver.url}/bare`);
    await page.getByRole("dialog").getByRole("button", { name: "Add endpoint" }).click();
    const secret = await new SecretDialog(page, "signing secret").takeAndClose();
    await expect(page.getByRole("row", { name: new RegExp(`${receiver.port}/bare`) })).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(secret);

    const playground = new Playground(page);
    await page.goto(at("/playground/svc/img-gen-b/image-generation"));
    await playground.run.click();
    await playground.result.getByRole("link", { name: "Open prediction" }).click();
    await expect(page).toHaveURL(/\/predictions\/pred_/);
    await expect(page.getByRole("main").getByRole("img", { name: /^Output/ })).toBeVisible({
      timeout: 90_000,
    });
    const id = new URL(page.url()).pathname.split("/").pop() ?? "";
    await openPage(page, at("/predictions"));
    await expect(page.getByText("does not offer a list of predictions")).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: "svc/img-gen-b" })).toBeVisible();
    await page.getByRole("textbox", { name: "Prediction id" }).fill(id);
    await page.getByRole("button", { name: "Open" }).click();
    await expect(page).toHaveURL(new RegExp(id));

    for (const path of ["/batches/new", "/compare"]) {
      await page.goto(at(path));
      await expect(page.getByRole("heading", { name: "This gateway does not offer batches" })).toBeVisible();
    }

    await openPage(page, at("/uploads"));
    await page
      .getByLabel("Files to upload")
      .setInputFiles({ name: "note.png", mimeType: "image/png", buffer: pixel });
    await expect(page.getByRole("row").filter({ hasText: "note.png" })).toContainText(/Verified/);
    await page.reload();
    await expect(page.getByRole("row").filter({ hasText: "note.png" })).toBeVisible();

    await openPage(page, at("/webhooks/deliveries"));
    const failed = page.getByRole("row").filter({ hasText: "prediction.succeeded" }).last();
    await expect(failed).toContainText("Failed");
    receiver.answer((_received, response) => response.writeHead(204).end());
    await failed.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("row").filter({ hasText: "Delivered" })).toBeVisible();

    for (const path of [
      "/",
      "/usage",
      "/keys",
      "/requests",
      "/audit-log",
      "/attestations",
      "/settings",
      "/api-reference",
      "/guides/gates",
      "/guides/webhooks",
    ])
      await expectHelpful(page, at(path));
  } finally {
    await receiver.close();
    await stop();
  }
});

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** The page of a missing extension explains that, without a crash or an error. */
async function expectHelpful(page: Page, address: string): Promise<void> {
  await openPage(page, address);
  await expect(page.getByText("This page crashed"), address).toBeHidden();
  await expect(page.getByRole("main").getByRole("alert"), address).toHaveCount(0);
}
