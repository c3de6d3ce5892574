import { readFile } from "node:fs/promises";
import { signedMedia } from "../gateway/testing/signed-media.ts";
import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage, scrollTo } from "./pages/open-page.ts";

test.describe.configure({ timeout: 120_000 });

test("a check of a file shows its claims, and whether this account made it", async ({ page, ownerApi }) => {
  const input = { model: "svc/img-gen-a-1", prompt: "a lighthouse", size: "256x256" };
  const made = await ownerApi.post("/images/generations", input);
  const [{ url } = { url: "" }] = made.data as { url: string }[];
  const ours = Buffer.from(await (await fetch(url)).arrayBuffer());
  const [signed] = await signedMedia();

  await openPage(page, "/library/check-a-file");
  const choose = (name: string, buffer: Buffer = Buffer.alloc(0)) =>
    page.locator("input[type=file]").setInputFiles({ name, mimeType: "image/png", buffer });
  await choose("ours.png", ours);
  await expect(page.getByRole("heading", { name: "Made here", exact: true })).toBeVisible();
  await expect(page.getByText(input.model)).toBeVisible();

  await choose("signed.png", signed?.bytes);
  await expect(page.getByText("signed by Example Models")).toBeVisible();
  await expect(page.getByText("Made by a generative model")).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Not made here/ })).toBeVisible();
  await expectAccessible(page);

  await choose("notes.png", Buffer.from("no picture"));
  await expect(page.getByText("The file is not image/png but something else.")).toBeVisible();
});

test("a prediction shows the origin of its files", async ({ page, seedData }) => {
  await openPage(page, `/predictions/${seedData.prediction}`);
  const part = page.getByRole("region", { name: "Where it comes from" });
  await scrollTo(page, part);
  await expect(part.getByText("Content credentials: none").first()).toBeVisible();
  await part.getByText("Details").first().click();
  await expect(part.getByRole("button", { name: "Copy SHA-256" }).first()).toBeVisible();
  await expectAccessible(page);
});

test("a receipt is saved from its prediction, and a check distinguishes it from a changed one", async ({
  page,
  seedData,
}) => {
  await openPage(page, `/predictions/${seedData.prediction}`);
  const part = page.getByRole("region", { name: "Receipt" });
  await scrollTo(page, part);
  await part.getByText("Contents of the receipt").click();
  await expect(part.getByText("sandbox · ")).toBeVisible();
  await expectAccessible(page);
  const saving = page.waitForEvent("download");
  await part.getByRole("button", { name: "Download receipt" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe(`receipt-${seedData.prediction}.json`);
  const text = await readFile(await saved.path(), "utf8");
  expect(JSON.parse(text).receipt.id).toBe(seedData.prediction);

  await openPage(page, "/library/check-a-file");
  const check = (name: string, content: string) =>
    page
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
  await expect(page.locator("input[type=file]")).toHaveAttribute("accept", /\.json/);
  await check("receipt.json", text);
  await expect(page.getByText("Valid receipt")).toBeVisible();
  await expect(page.getByText("input and 1 file")).toBeVisible();
  await expectAccessible(page);
  await check("changed.json", text.replace("succeeded", "failed"));
  await expect(page.getByText("Changed receipt")).toBeVisible();
});

test("an operator rotates the receipt key", async ({ page }) => {
  await openPage(page, "/operator/signing");
  const part = page.getByRole("region", { name: "Receipt keys" });
  await expect(part.getByText("Current key")).toHaveCount(1);
  await part.getByRole("button", { name: "Rotate key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate key" }).click();
  await expect(part.getByText("Retired").first()).toBeVisible();
  await expect(part.getByText("Current key")).toHaveCount(1);
  await expectAccessible(page);
});
