import type { Page } from "@playwright/test";
import OpenAI, { toFile } from "openai";
import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

const start = (page: Page) => page.getByRole("button", { name: /^Start batch/ });

test("a batch is pasted from a spreadsheet, corrected in its cells, run, and read as a table", async ({
  page,
}) => {
  await openPage(page, "/batches/new?model=svc/img-gen-a-1&api_type=image-generation");
  await test.step("a pasted range with a header replaces the table, and errors are shown beside their rows", async () => {
    await page.getByRole("textbox", { name: "prompt, row 1" }).focus();
    await paste(page, 'prompt\tn\nred boats\t1\n"green\nboats"\t9\nblue boats\tmany');
    await expect(page.getByText("2 errors found in 3 rows. No row was run.")).toBeVisible();
    await expect(page.getByRole("row", { name: /^2/ })).toContainText("n must be");
    await expect(page.getByRole("textbox", { name: "n, row 3" })).toHaveAttribute("aria-invalid", "true");
    await expect(start(page)).toBeDisabled();
    await expectAccessible(page);
  });
  await test.step("a reload loses nothing", async () => {
    await page.getByRole("textbox", { name: "n, row 2" }).fill("1");
    await page.getByRole("textbox", { name: "n, row 3" }).fill("1");
    await expect(page.getByText("3 rows checked, at most 3 generations, costs nothing.")).toBeVisible();
    await page.reload();
    await expect(page.getByRole("textbox", { name: "prompt, row 2" })).toHaveValue("green\nboats");
  });
  await test.step("the page runs the rows and shows their files", async () => {
    await page.getByRole("textbox", { name: "Name" }).fill("Boats");
    await start(page).click();
    await expect(page.getByRole("heading", { name: "Boats" })).toBeVisible();
    await expect(page.getByText("Batch status: Finished")).toBeAttached({ timeout: 60_000 });
    await expect(page.getByText("3 of 3 rows")).toBeVisible();
    await page.getByRole("button", { name: "Show 1 file of row 2" }).click();
    await expect(page.getByRole("img", { name: "Output 1 of row 2" })).toBeVisible();
    await expectAccessible(page);
  });
  await test.step("the page saves the results", async () => {
    for (const [kind, name] of [
      ["CSV", /\.csv$/],
      ["Zip", /\.zip$/],
    ] as const) {
      await page.getByRole("button", { name: "Save results" }).click();
      const saved = page.waitForEvent("download");
      await page.getByRole("menuitem", { name: kind }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toMatch(name);
      expect(await file.failure()).toBeNull();
    }
  });
  await test.step("the list contains the batch", async () => {
    await page.getByRole("link", { name: "Batches" }).first().click();
    await expect(page.getByRole("row", { name: /Boats.*Finished.*3 of 3/ })).toBeVisible();
  });
});

test("a batch that a program sent in OpenAI's shape looks like any other batch, with two extra files", async ({
  page,
  ownerApi,
  stack,
}) => {
  const openai = new OpenAI({ apiKey: ownerApi.bearer, baseURL: stack.gatewayUrl });
  const url = "/v1/chat/completions";
  const body = { model: "svc/chat-1", messages: [{ role: "user", content: "Hello" }] };
  const lines = [JSON.stringify({ custom_id: "greeting", method: "POST", url, body }), "no json"];
  const file = await openai.files.create({
    file: await toFile(Buffer.from(lines.join("\n")), "lines.jsonl"),
    purpose: "batch",
  });
  const { id } = await openai.batches.create({
    ...{ input_file_id: file.id, endpoint: url, completion_window: "24h" },
    metadata: { job: "nightly" },
  });
  await openPage(page, `/batches/${id}`);
  await expect(page.getByText("Batch status: Finished")).toBeAttached({ timeout: 30_000 });
  await expect(page.getByText(`OpenAI ${url}`)).toBeVisible();
  await expect(page.getByText("job: nightly")).toBeVisible();
  await expect(page.getByRole("row", { name: /greeting.*Hello/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /line 2.*not a JSON object/ })).toBeVisible();
  for (const [kind, name] of [
    ["Output file", `${id}_output.jsonl`],
    ["Error file", `${id}_errors.jsonl`],
  ] as const) {
    await page.getByRole("button", { name: "Save results" }).click();
    const saved = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: kind }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe(name);
    expect(await download.failure()).toBeNull();
  }
  await expectAccessible(page);
  await openPage(page, "/batches");
  await expect(page.getByRole("row", { name: /2 rows of svc\/chat-1.*Finished/ }).first()).toBeVisible();
});

/** Pastes like a browser after copying from a spreadsheet. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((copied) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", copied);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, text);
}
