import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectAccessibleState } from "./pages/axe.ts";
import { Playground } from "./pages/playground.ts";

/** Pastes a picture at the focus, like a browser. */
async function pastePicture(page: Page, at: Locator, text = ""): Promise<void> {
  const bytes = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(32, 32);
    canvas.getContext("2d")?.fillRect(0, 0, 32, 32);
    const blob = await canvas.convertToBlob();
    return [...new Uint8Array(await blob.arrayBuffer())];
  });
  await at.evaluate(
    (element, { bytes, text }) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([new Uint8Array(bytes)], "image.png", { type: "image/png" }));
      if (text) clipboardData.setData("text/plain", text);
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    { bytes, text },
  );
}

test("a picture can be pasted anywhere: into the prompt, over another picture, and when several fields accept it", async ({
  page,
}) => {
  const playground = new Playground(page);
  await playground.open("svc/adult-i2v-1", "video-generation");
  const prompt = page.getByRole("textbox", { name: "Prompt", exact: true });
  await playground.input.getByRole("button", { name: "Remove image" }).click();
  await pastePicture(page, prompt);
  const remove = playground.input.getByRole("button", { name: "Remove image" });
  await expect(remove).toBeVisible();
  const file = playground.input.getByText("image.png");
  await expect(file).toBeVisible();

  // A second picture replaces the first, which can be undone.
  await pastePicture(page, page.locator("body"));
  await expect(page.getByText("Image replaced")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(remove).toBeVisible();
  // A paste that is also text stays text.
  await pastePicture(page, prompt, "cells of a table");
  await expect(page.getByText("Image replaced")).toBeHidden();

  await playground.open("svc/adult-i2v-2", "video-generation");
  const removes = playground.input.getByRole("button", { name: /^Remove / });
  while ((await removes.count()) > 0) await removes.first().click();
  await pastePicture(page, page.locator("body"));
  const question = page.getByRole("dialog", { name: "Which field is the picture for?" });
  await expectAccessibleState(page);
  await question.getByRole("button").last().press("Enter");
  await expect(playground.input.getByText("image.png")).toBeVisible();

  await playground.open("svc/tts-b-1", "text-to-speech");
  await pastePicture(page, page.locator("body"));
  await expect(page.getByText("This operation accepts no picture")).toBeVisible();
});
