import { expect, test } from "./fixtures.ts";
import { expectAccessibleState } from "./pages/axe.ts";
import { Playground } from "./pages/playground.ts";

test("the JSON editor names the key that was probably meant, and a button renames it and can be undone", async ({
  page,
}) => {
  const playground = new Playground(page);
  await playground.open("svc/img-gen-a-1", "image-generation");
  await playground.tab("JSON");
  const box = page.getByLabel("Request body");
  await box.fill('{\n  "promt": "a kite",   "n": 1,\n  "mystery": 2\n}');
  const unknown = page.getByRole("list", { name: "Unknown keys" });
  await expect(unknown).toContainText("mystery is not a key of this operation. It is sent unchanged.");
  await expectAccessibleState(page);
  await unknown.getByRole("button", { name: "Rename it to prompt" }).click();
  await expect(box).toHaveValue('{\n  "prompt": "a kite",   "n": 1,\n  "mystery": 2\n}');
  await expect(unknown.getByRole("button")).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect(box).toHaveValue(/"promt"/);
  await unknown.getByRole("button", { name: "Rename it to prompt" }).click();
  await playground.tab("Form");
  await expect(page.getByRole("textbox", { name: "Prompt", exact: true })).toHaveValue("a kite");
});
