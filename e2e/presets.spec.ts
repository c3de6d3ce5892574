import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";

test("a preset is saved, shared, opened, replaced, renamed and deleted, and each change is undone", async ({
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
    await expect(page.getByRole("heading", { level: 1, name: "Harbour" })).toBeVisible();
    await expect(page.getByText("This preset has not been changed since its creation.")).toBeVisible();
    await page.getByRole("link", { name: "Open in the playground" }).click();
    await expect(prompt).toHaveValue("boats in a harbour");
    await expect(page.getByText(/^Preset “Harbour” by .+ loaded\.$/)).toBeVisible();
    // A reload does not load the preset again over later edits.
    await expect(page).not.toHaveURL(/from=/);
  });

  await test.step("from the palette", async () => {
    await prompt.fill("a wood in the rain");
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/^A page/).fill("harb");
    await page.getByRole("option", { name: /^Harbour svc/ }).click();
    await page.getByRole("link", { name: "Open in the playground" }).click();
    await expect(prompt).toHaveValue("boats in a harbour");
  });

  await test.step("the preset is replaced, and restored", async () => {
    await prompt.fill("a wood in the rain");
    await open();
    await expectAccessible(page);
    await action("Replace with this input");
    await undo();
    await expect(page.getByText("“Harbour” was restored")).toBeVisible();
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

  await test.step("the preset is deleted, unless the user undoes that", async () => {
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

test("a preset's page shows who changed which fields, and restores a version", async ({ page, ownerApi }) => {
  const { id } = await ownerApi.post("/presets", {
    name: "Lighthouse",
    model: "svc/vid-t2v",
    api_type: "video-generation",
    input: { prompt: "a lighthouse on a quiet evening with a calm sea", duration: 5 },
  });
  const input = { prompt: "a lighthouse on a stormy evening with a calm sea", duration: 10 };
  await ownerApi.patch(`/presets/${id}`, { input });
  await ownerApi.patch(`/presets/${id}`, { name: "Lighthouse at night" });

  await openPage(page, `/presets/${id}`);
  await expect(page.getByText(/: version 3, changed by .+ (now|ago)\.$/)).toBeVisible();
  await page.getByRole("link", { name: "What changed in version 2" }).click();
  const changed = page.getByRole("region", { name: "What changed" });
  await expect(changed.getByText("from 5 to 10")).toBeVisible();
  await expect(changed.getByRole("deletion")).toContainText(["quiet", "5"]);
  await expect(changed.getByRole("insertion")).toContainText(["stormy", "10"]);
  await expectAccessible(page);
  await changed.getByRole("combobox", { name: "To" }).selectOption("3");
  await expect(changed.getByText("Name of the preset")).toBeVisible();

  const versions = page.getByRole("table", { name: "Versions" });
  await page.getByRole("button", { name: "Restore version 1" }).click();
  await expect(page.getByText("Version 1 restored as version 4")).toBeVisible();
  await expect(versions.getByRole("row").nth(1)).toContainText(/4 Current.*Lighthouse$|4 Current/);
  await expect(page.getByRole("heading", { level: 1, name: "Lighthouse", exact: true })).toBeVisible();
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Lighthouse at night" })).toBeVisible();
  await expect(versions.getByRole("row")).toHaveCount(6);

  await openPage(page, "/playground/svc/vid-t2v/video-generation");
  await new Playground(page).input.getByRole("button", { name: "Presets" }).click();
  await page.getByRole("link", { name: /^version 5, changed by / }).click();
  await expect(page).toHaveURL(new RegExp(`/presets/${id}$`));
});

test("a word finds one of many presets of an operation", async ({ page, ownerApi }) => {
  const names = ["Quay", "Mole", "Jetty", "Pier", "Slipway", "Breakwater at dawn"];
  const body = { model: "svc/vid-t2v", api_type: "video-generation", input: { prompt: "boats" } };
  const made = await Promise.all(names.map((name) => ownerApi.post("/presets", { ...body, name })));
  try {
    await openPage(page, "/playground/svc/vid-t2v/video-generation");
    await new Playground(page).input.getByRole("button", { name: "Presets" }).click();
    const dialog = page.getByRole("dialog", { name: "Presets" });
    const field = dialog.getByRole("searchbox", { name: "Find by name" });
    await field.fill("dawn break");
    const list = dialog.getByRole("list", { name: "Presets" });
    await expect(list.getByRole("listitem")).toHaveCount(1);
    await expect(list).toContainText("Breakwater at dawn");
    await expectAccessible(page);
    await field.fill("no such preset");
    await expect(dialog.getByText("No preset of this operation matches all of these words.")).toBeVisible();
  } finally {
    await Promise.all(made.map(({ id }) => ownerApi.delete(`/presets/${id}`)));
  }
});
