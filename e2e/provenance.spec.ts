import { signedMedia } from "../gateway/testing/signed-media.ts";
import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";

test.describe.configure({ timeout: 120_000 });

test("a file is checked: what it says, and whether this account made it", async ({ page, ownerApi }) => {
  const input = { model: "svc/img-gen-a-1", prompt: "a lighthouse", size: "256x256" };
  const made = await ownerApi.post("/images/generations", input);
  const [{ url } = { url: "" }] = made.data as { url: string }[];
  const ours = Buffer.from(await (await fetch(url)).arrayBuffer());
  const [signed] = await signedMedia();

  await page.goto("/library/check-a-file");
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
  await expect(
    page
      .getByRole("alert")
      .or(page.getByText(/rejected|not/i))
      .first(),
  ).toBeVisible();
});

test("a prediction says where its files come from", async ({ page, seedData }) => {
  await page.goto(`/predictions/${seedData.prediction}`);
  const part = page.getByRole("region", { name: "Where it comes from" });
  await expect(part.getByText("Content credentials: none").first()).toBeVisible();
  await part.getByText("Details").first().click();
  await expect(part.getByRole("button", { name: "Copy SHA-256" }).first()).toBeVisible();
  await expectAccessible(page);
});
