import { expect, test } from "./fixtures.ts";
import { expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAYAAABzenr0AAAABHNCSVQICAgIfAhkiAAAAAFzUkdCAK7OHOkAAABJSURBVFiF7dexEQAgCEPR4LmR7D+BzhQ30MKCwk8b7vKOjrBtFU6rLAcAAIAk9dvCynwqGHMe8/ILAAAAAAAAAACCvwAAgO8BG9nXCzmhrae1AAAAAElFTkSuQmCC",
  "base64",
);

test("an operator lets a chat model read pictures, and a member sends it one", async ({ page, ownerApi }) => {
  const id = "own/sees";
  const template = { model: "svc/chat-1", api_type: "chat-completions" };
  await ownerApi.post("/operator/models", { id, template });
  await openPage(page, `/operator/models/${id}`);
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("checkbox", { name: "Pictures in messages" }).check();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("tab", { name: /^Revisions 2/ })).toBeVisible();

  const playground = new Playground(page);
  await playground.open(id, "chat-completions");
  await playground.tab("Form");
  const group = playground.input.getByRole("group", { name: "Message 2" });
  await group.getByRole("textbox", { name: "Content of message 2" }).fill("What is in this picture?");
  await group
    .locator("input[type=file]")
    .first()
    .setInputFiles({ name: "square.png", mimeType: "image/png", buffer: picture });
  await expect(group.getByRole("img").first()).toBeVisible();
  await expectAccessibleState(page);
  await playground.run.click();
  await expect(playground.result.getByText(/a picture: image\/png, \d+ bytes/)).toBeVisible({
    timeout: 30_000,
  });
  await expectAccessibleState(page);

  // The text can change without losing the picture, and the picture without losing the text.
  await playground.tab("JSON");
  await expect(playground.input.getByText("image_url").first()).toBeVisible();
  await playground.tab("Form");
  await group.getByRole("button", { name: /^Remove picture of message 2 1/ }).click();
  await expect(group.getByRole("textbox", { name: "Content of message 2" })).toHaveValue(
    "What is in this picture?",
  );
});
