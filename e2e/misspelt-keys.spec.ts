import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { Playground } from "./pages/playground.ts";

test("a misspelt key in the JSON tab is named and mended by the keyboard, and the mend undone", async ({
  page,
}) => {
  const playground = new Playground(page);
  await playground.open("svc/vid-t2v", "video-generation");
  await playground.tab("JSON");
  const box = playground.input.getByRole("textbox", { name: "Request body" });
  await box.fill('{\n  "promt": "a pine",\n  "duration": 5\n}');
  const keys = playground.input.getByRole("list", { name: "Unknown keys" });
  await expect(keys.getByRole("button", { name: "Line 2" })).toBeVisible();
  await expectAccessible(page);
  await box.press("Tab");
  await page.keyboard.press("Tab");
  await expect(keys.getByRole("button", { name: "Change to prompt" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(box).toHaveValue('{\n  "prompt": "a pine",\n  "duration": 5\n}');
  await expect(box).toBeFocused();
  await expect(keys).toBeHidden();
  await page.keyboard.press("Control+z");
  await expect(box).toHaveValue(/"promt"/);
});
