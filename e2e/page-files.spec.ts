import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { Playground } from "./pages/playground.ts";

/** A small picture of one colour. */
function picture(background: string): Promise<Buffer> {
  return sharp({ create: { width: 48, height: 32, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Pastes what a clipboard has into what has the focus. */
async function paste(page: Page, content: { picture?: Buffer; name?: string; text?: string }): Promise<void> {
  const { picture: bytes, name = "image.png", text } = content;
  await page.evaluate(
    ({ base64, name, text }) => {
      const data = new DataTransfer();
      if (text !== undefined) data.setData("text/plain", text);
      if (base64 !== undefined) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: "image/png" }));
      }
      const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
      (document.activeElement ?? document.body).dispatchEvent(event);
    },
    { base64: bytes?.toString("base64"), name, text },
  );
}

test("a pasted picture goes to the one field that takes it, and is replaced with an undo", async ({
  page,
}) => {
  const playground = new Playground(page);
  await playground.open("svc/adult-i2v-3", "video-generation");
  await playground.input.getByRole("textbox", { name: "Prompt", exact: true }).focus();
  await paste(page, { picture: await picture("red"), name: "first.png" });
  await expect(page.getByText("Set as Image")).toBeVisible();
  await expect(playground.input.getByText("first.png")).toBeVisible();

  await paste(page, { picture: await picture("blue"), name: "second.png" });
  await expect(playground.input.getByText("second.png")).toBeVisible();
  await page.getByRole("status").getByRole("button", { name: "Undo" }).last().click();
  await expect(playground.input.getByText("first.png")).toBeVisible();
  await expect(playground.input.getByText("second.png")).toBeHidden();
});

test("a text beside a picture stays a text", async ({ page }) => {
  const playground = new Playground(page);
  await playground.open("svc/adult-i2v-3", "video-generation");
  await playground.input.getByRole("textbox", { name: "Prompt", exact: true }).focus();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(`${request.method()} ${request.url()}`));
  await paste(page, { picture: await picture("red"), text: "a cell of a spreadsheet" });
  await playground.tab("JSON");
  await expect(playground.input.getByRole("textbox", { name: "Request body" })).toBeVisible();
  expect(asked.filter((each) => /^POST .*\/uploads/.test(each))).toEqual([]);
});

test("where several fields take it, the keyboard chooses; a list gets it appended", async ({ page }) => {
  const playground = new Playground(page);
  await playground.open("svc/adult-vid-1", "video-generation");
  await paste(page, { picture: await picture("green"), name: "heron.png" });
  const dialog = page.getByRole("dialog", { name: "Where should it go?" });
  await expect(dialog.getByRole("button", { name: /^First frame/ })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(dialog.getByRole("button", { name: /^Reference images/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Added to Reference images")).toBeVisible();
  await expect(dialog).toBeHidden();
  await playground.tab("JSON");
  await expect(playground.input.getByRole("textbox", { name: "Request body" })).toHaveValue(
    /"reference_images": \[\s+"upload:\/\/upl_/,
  );
});

test("a model that takes no pictures names models that do", async ({ page }) => {
  const playground = new Playground(page);
  await playground.open("svc/tts-b-1", "text-to-speech");
  await paste(page, { picture: await picture("red") });
  const dialog = page.getByRole("dialog", { name: "svc/tts-b-1 takes no pictures" });
  await dialog.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/playground\/svc\/(?!tts)/);
});
