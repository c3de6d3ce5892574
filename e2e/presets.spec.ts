import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";

test("a preset is saved, shared, opened, replaced, renamed and deleted, each undone", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const playground = new Playground(page);
  const prompt = playground.input.getByRole("textbox", { name: "Prompt" });
  const dialog = page.getByRole("dialog", { name: "Presets" });
  const open = () => playground.input.getByRole("button", { name: "Presets" }).click();
  const action = async (name: string) => {
    await dialog.getByRole("button", { name: "Actions for Harbour" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  const undo = () => page.getByRole("status").getByRole("button", { name: "Undo" }).click();

  await openPage(page, "/playground/svc/vid-t2v/video-generation");
  await prompt.fill("boats in a harbour");
  await open();
  await dialog.getByRole("textbox", { name: "Save this input as" }).fill("Harbour");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Copy link" }).click();
  const address = await page.evaluate(() => navigator.clipboard.readText());

  await prompt.fill("a wood in the rain");
  await test.step("by its address", async () => {
    await page.goto(address);
    await expect(prompt).toHaveValue("boats in a harbour");
    await expect(page.getByText(/^Preset “Harbour” by .+ loaded\.$/)).toBeVisible();
    // A reload does not load it over what was edited since.
    await expect(page).not.toHaveURL(/from=/);
  });

  await test.step("from the palette", async () => {
    await prompt.fill("a wood in the rain");
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/^A page/).fill("harb");
    await page.getByRole("option", { name: /^Harbour/ }).click();
    await expect(prompt).toHaveValue("boats in a harbour");
  });

  await test.step("replaced, and brought back", async () => {
    await prompt.fill("a wood in the rain");
    await open();
    await expectAccessible(page);
    await action("Replace with this input");
    await undo();
    await expect(page.getByText("“Harbour” is as it was before")).toBeVisible();
    await open();
    await dialog.getByRole("link", { name: "Harbour" }).click();
    await expect(prompt).toHaveValue("boats in a harbour");
  });

  await test.step("renamed", async () => {
    await open();
    await action("Rename");
    await dialog.getByRole("textbox", { name: "New name of Harbour" }).fill("Harbour at dawn");
    await page.keyboard.press("Enter");
    await expect(dialog.getByRole("link", { name: "Harbour at dawn" })).toBeVisible();
  });

  await test.step("deleted, unless it is undone", async () => {
    await action("Delete");
    await undo();
    await open();
    await action("Delete");
    await page.getByRole("status").getByRole("button", { name: "Close message" }).first().click();
    await expect(async () => {
      await page.goto(address);
      await expect(page.getByRole("heading", { name: "No preset at this address" })).toBeVisible();
    }).toPass();
  });
});
