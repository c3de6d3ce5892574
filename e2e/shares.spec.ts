import { reportLimits } from "../contract/share-constants.ts";
import { expect, signedOut, test } from "./fixtures.ts";
import type { GatewayApi } from "./gateway-api.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { complaintsOf } from "./pages/complaints.ts";
import { openPage } from "./pages/open-page.ts";

const prompt = "a paper boat that only its maker reads of";

/** Makes a picture; returns the id of its file. */
async function outputOf(api: GatewayApi, input: object): Promise<string> {
  const { id } = await api.post("/images/generations", input);
  const files = async () =>
    ((await api.get(`/outputs?prediction_id=${id}`)) as { data: { id: string }[] }).data;
  await expect.poll(async () => (await files()).length).toBe(1);
  return String((await files())[0]?.id);
}

test("an output is shared with a person without an account, and the link is revoked", async ({
  page,
  browser,
  stack,
  ownerApi,
}) => {
  const input = { model: "svc/img-gen-b", prompt, size: "1024x1024", quality: "low", output_format: "png" };
  const { id } = await ownerApi.post("/images/generations", input);
  await openPage(page, `/predictions/${id}`);
  await page.getByRole("button", { name: /^Share pred_/ }).click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  await dialog.getByText("1 hour").click();
  await expect(dialog.getByRole("checkbox", { name: "Show the prompt" })).not.toBeChecked();
  await expect(dialog.getByText(/The file itself is removed/)).toBeVisible();
  await expect(dialog.getByRole("radio", { name: "Until the file is removed" })).toBeAttached();
  await expect(dialog.getByRole("radio", { name: "7 days" })).toHaveCount(0);
  await expectAccessibleState(page);
  await dialog.getByRole("button", { name: "Keep the file, then share" }).click();
  await expect(dialog.getByRole("radio", { name: "7 days" })).toBeAttached();
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
  await expect(dialog.getByRole("button", { name: "Copy link" })).toBeVisible();
  await expectAccessibleState(page);
  const address = stack.consoleUrl + new URL(link).pathname;

  const context = await browser.newContext({ ...signedOut, baseURL: stack.consoleUrl });
  const stranger = await context.newPage();
  const complaints = await complaintsOf(context, stranger);
  const opened = await stranger.goto(address);
  expect(opened?.headers()).toMatchObject({
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
  });
  expect(await opened?.text()).not.toContain("paper boat");
  await expect(stranger.getByRole("heading", { name: "Shared image" })).toBeVisible();
  const picture = stranger.getByRole("img", { name: `Output of ${input.model}` });
  await expect(picture).toHaveJSProperty("naturalWidth", 1024);
  const file = (await picture.getAttribute("src")) ?? "";
  await expect(stranger.getByText("Sandbox", { exact: true })).toBeVisible();
  await expect(stranger.getByText("Content credentials")).toBeVisible();
  const saved = stranger.waitForEvent("download");
  await stranger.getByRole("link", { name: "Download" }).click();
  expect((await saved).suggestedFilename()).toBe("svc-img-gen-b-1.png");
  await expectAccessible(stranger);
  expect(complaints).toEqual([]);

  await dialog.getByRole("link", { name: "Shared links" }).click();
  const row = page.getByRole("row").filter({ hasText: input.model }).first();
  await expect(row).toContainText("1 time");
  await expectAccessible(page);
  await row.getByRole("button", { name: /^Revoke link/ }).click();
  await page
    .getByRole("dialog", { name: "Revoke this link?" })
    .getByRole("button", { name: "Revoke link" })
    .click();
  await expect(page.getByText("Link revoked. It no longer works.")).toBeVisible();
  expect((await fetch(file)).status).toBe(404);
  const dead = await stranger.goto(address);
  expect(dead?.status()).toBe(404);
  await expect(stranger.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  await expectAccessible(stranger);
  await context.close();
});

test("a gated model's output is shown only to signed-in people who attested, and only if an owner allows it", async ({
  page,
  browser,
  stack,
  ownerApi,
}) => {
  await ownerApi.attest("adult");
  const input = { model: "svc/adult-img-1", prompt, width: 256, height: 256, n: 1 };
  const output = await outputOf(ownerApi, input);
  await openPage(page, "/settings");
  await page.locator("#main").getByText("Allow sharing outputs of gated models").click();
  await page.getByRole("dialog").getByRole("button", { name: "Allow it" }).click();
  await expect(page.getByRole("switch", { name: "Allow sharing outputs of gated models" })).toBeChecked();
  const { url } = await ownerApi.post(`/outputs/${output}/shares`, { expires_in: 600 });
  const path = new URL(String(url)).pathname;

  const context = await browser.newContext({ ...signedOut, baseURL: stack.consoleUrl });
  const stranger = await context.newPage();
  await stranger.goto(path);
  await expect(stranger.getByRole("heading", { name: "Sign in to see this output" })).toBeVisible();
  await expectAccessible(stranger);
  await stranger.getByRole("link", { name: "Sign in" }).click();
  await expect(stranger).toHaveURL(/\/sign-in\?from=/);
  await context.close();

  await page.goto(path);
  const picture = page.getByRole("img", { name: `Output of ${input.model}` });
  await expect(picture).toHaveJSProperty("naturalWidth", 256);
  await ownerApi.withdraw("adult");
  await page.goto(path);
  await expect(page.getByRole("heading", { name: "Attest first" })).toBeVisible();
  await ownerApi.patch("/account", { share_gated_outputs: false });
});

test("a visitor without scripts reports a file of a link, after an error that says what is wrong", async ({
  browser,
  stack,
  ownerApi,
}) => {
  const made = { model: "svc/img-gen-a-1", prompt: "a face seen without scripts", size: "256x256" };
  const [first, second] = [await outputOf(ownerApi, made), await outputOf(ownerApi, made)];
  const { url } = await ownerApi.post(`/outputs/${first}/shares`, { expires_in: 600, with: [second] });
  const path = new URL(String(url)).pathname;

  const context = await browser.newContext({
    ...signedOut,
    baseURL: stack.consoleUrl,
    javaScriptEnabled: false,
  });
  const stranger = await context.newPage();
  await stranger.goto(path);
  await stranger.getByText("Report this").click();
  await stranger.getByLabel("Which file").selectOption({ index: 1 });
  await stranger.getByLabel("Reason").selectOption("person");
  await stranger.getByLabel("Your e-mail address").fill("eve@example.com");
  const details = stranger.getByLabel("Details");
  // As in a browser that knows no limits of texts.
  await details.evaluate((area) => area.removeAttribute("maxlength"));
  await details.fill("x".repeat(reportLimits.commentLength + 1));
  const send = stranger.getByRole("button", { name: "Send report" });
  await send.click();
  const alert = stranger.getByRole("alert");
  await expect(alert).toContainText(`at most ${reportLimits.commentLength} characters`);
  await expect(alert).toBeInViewport();
  await expect(stranger.getByLabel("Your e-mail address")).toHaveValue("eve@example.com");
  await details.fill("This is my face.");
  await send.click();
  await expect(stranger.getByText("Your report was sent")).toBeInViewport();
  await expect(stranger).toHaveURL(/[?]reported=rep_\w+#report$/);
  await stranger.reload();
  const { data: reports } = (await ownerApi.get("/reports")) as { data: Record<string, unknown>[] };
  expect(reports.filter((report) => [first, second].includes(String(report.output_id)))).toMatchObject([
    { output_id: second, reason: "person", comment: "This is my face.", email: "eve@example.com" },
  ]);
  await context.close();
});

test("a visitor reports a shared output, and an owner removes it with its copies", async ({
  page,
  browser,
  stack,
  ownerApi,
}) => {
  const input = { model: "svc/img-gen-a-1", prompt: "a face that should not be here", size: "256x256" };
  const output = await outputOf(ownerApi, input);
  const { url } = await ownerApi.post(`/outputs/${output}/shares`, { expires_in: 600 });
  const path = new URL(String(url)).pathname;

  const signedOutContext = await browser.newContext({ ...signedOut, baseURL: stack.consoleUrl });
  const stranger = await signedOutContext.newPage();
  const complaints = await complaintsOf(signedOutContext, stranger);
  await openPage(stranger, path);
  await stranger.getByText("Report this").focus();
  await stranger.keyboard.press("Enter");
  await expectAccessible(stranger);
  await stranger.getByLabel("Reason").selectOption("person");
  await stranger.getByLabel("Details").fill("This is my sister's face.");
  await stranger.getByLabel("Your e-mail address").fill("eve@example.com");
  await stranger.keyboard.press("Enter");
  await expect(stranger.getByRole("main").getByRole("status")).toContainText("Your report was sent");
  await expect(stranger.getByRole("heading", { name: "Your report was sent" })).toBeFocused();
  await expectAccessible(stranger);
  expect(complaints).toEqual([]);

  await openPage(page, "/operator/reports");
  await expectAccessible(page);
  await page
    .getByRole("link", { name: /It shows or imitates a person/ })
    .first()
    .click();
  await expect(page.getByText("1 file with these bytes in 1 account")).toBeVisible();
  await expectAccessible(page);

  await openPage(page, "/predictions/shared");
  await page.getByRole("link", { name: "Reports", exact: true }).first().click();
  const report = page.getByRole("article").filter({ hasText: "This is my sister's face." });
  await expect(report).toContainText("eve@example.com");
  await expectAccessible(page);
  await report.getByRole("button", { name: "Remove file" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove this file and bar it?" });
  await expect(dialog).toContainText("1 file with these bytes");
  await expectAccessibleState(page);
  await dialog.getByRole("button", { name: "Remove file" }).click();
  await expect(page.getByText("File removed and barred.")).toBeVisible();
  await expect(report.getByText("Removed", { exact: true })).toBeVisible();
  const dead = await stranger.goto(path);
  expect(dead?.status()).toBe(404);
  await expectAccessible(page);
  await signedOutContext.close();
});
