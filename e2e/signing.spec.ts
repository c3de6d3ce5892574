import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { writeSigningFiles } from "../gateway/testing/signing-certificate.ts";
import { expect, signedOut, test } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage, scrollTo } from "./pages/open-page.ts";
import { signIn } from "./pages/sign-in.ts";
import { startStack } from "./stack.ts";

test.describe.configure({ timeout: 300_000 });

test("without a certificate the page explains how to sign, and the limits of signing", async ({ page }) => {
  await openPage(page, "/operator/signing");
  await expect(page.getByText("Outputs are not signed")).toBeVisible();
  await expect(page.getByText("C2PA_CERTIFICATE_FILE")).toBeVisible();
  await expect(page.getByText(/Metadata can be lost/)).toBeVisible();
  await expectAccessible(page);
});

test("labels are shown beside the download, ready to copy", async ({ page, context, seedData }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPage(page, `/predictions/${seedData.prediction}`);
  await page.getByText("AI label text").click();
  await page.getByRole("button", { name: "Copy: HTML caption" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^<figcaption>Test output: no model ran, \d{4}-\d\d-\d\d<\/figcaption>$/,
  );
  await expect(page.getByText(/The publisher must judge/)).toBeVisible();
  await expectAccessible(page);
});

test("with a certificate the page shows the certificate and a test signature, and outputs are signed", async ({
  browser,
}) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "gatehouse-e2e-"));
  const until = new Date(Date.now() + 20 * 86_400_000);
  const { certificate, key } = await writeSigningFiles(folder, { organisation: "Example Studio", until });
  const settings = { C2PA_CERTIFICATE_FILE: certificate, C2PA_KEY_FILE: key };
  const { stack, stop } = await startStack({ settings });
  const context = await browser.newContext({ ...signedOut, baseURL: stack.consoleUrl });
  try {
    const page = await context.newPage();
    await signIn(page, stack, "/operator/signing");
    await expect(page.getByText("made and verified just now")).toBeVisible();
    await expect(page.getByText("CN=Example signer, O=Example Studio")).toBeVisible();
    await expect(page.getByRole("alert").filter({ hasText: "The certificate expires on" })).toBeVisible();
    await expectAccessible(page);

    const api = await GatewayApi.signIn(stack);
    const { id } = await api.post("/videos", { model: "svc/vid-t2v", prompt: "waves at dusk", duration: 2 });
    await page.goto(`/predictions/${id}`);
    const part = page.getByRole("region", { name: "Where it comes from" });
    await scrollTo(page, part);
    await expect(part.getByText("Content credentials: signed by Example Studio")).toBeVisible({
      timeout: 60_000,
    });
    await part.getByText("Details").click();
    await expect(part.getByText("Made by a program")).toBeVisible();
  } finally {
    await context.close();
    await stop();
  }
});
