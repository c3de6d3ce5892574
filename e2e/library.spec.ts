import { expect, test } from "./fixtures.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";

test.describe.configure({ timeout: 120_000 });

test("an output is kept with labels, found again, run again, removed and restored", async ({
  page,
  ownerApi,
}) => {
  const prompt = `two gulls above a harbour ${Date.now()}`;
  const input = { prompt, quality: "low", size: "1024x1024", output_format: "png" };
  const made = await ownerApi.post("/images/generations", { model: "svc/img-gen-b", ...input });
  await openPage(page, `/predictions/${made.id}`);
  await page.getByRole("button", { name: /^Keep .*in the library$/ }).click({ timeout: 30_000 });
  await expect(page.getByText("Kept until somebody removes it")).toBeVisible();
  await page.getByRole("button", { name: /^Kept: labels/ }).click();
  const dialog = page.getByRole("dialog", { name: "Kept in the library" });
  await dialog.getByLabel("Labels", { exact: true }).fill("harbour, gulls");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save labels" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: /^Kept: labels/ })).toBeVisible();

  await openPage(page, "/library");
  const card = page.getByRole("list", { name: "Kept files" }).getByRole("button", { name: prompt });
  await expect(card).toContainText("harbour, gulls");
  await expectAccessible(page);
  const search = page.getByRole("searchbox", { name: "Words in the prompt" });
  await search.fill("nothing like it");
  await search.press("Enter");
  await expect(page.getByText("No kept files match this filter")).toBeVisible();
  await page.getByRole("searchbox", { name: "Words in the prompt" }).fill("GULL harb");
  await page.getByRole("searchbox", { name: "Words in the prompt" }).press("Enter");
  await expect(card).toBeVisible();
  await page.getByRole("combobox", { name: "Label" }).selectOption("gulls");
  await expect(page).toHaveURL(/label=gulls/);

  await card.click();
  const kept = page.getByRole("dialog", { name: "Kept file" });
  await expect(kept.getByRole("img")).toBeVisible();
  await expectAccessible(page);
  await kept.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("No kept files match this filter")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await card.click();
  await kept.getByRole("link", { name: "Run again" }).click();
  await expect(page.getByText("Input of the kept output loaded.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: /prompt/i }).first()).toHaveValue(prompt);
});

test("an image of the playground is kept with its input", async ({ page, ownerApi }) => {
  const prompt = `a lighthouse in fog ${Date.now()}`;
  await openPage(page, "/playground/svc/img-gen-a-1/image-generation");
  await page
    .getByRole("textbox", { name: /prompt/i })
    .first()
    .fill(prompt);
  await page.getByRole("button", { name: /^Run/ }).first().click();
  await page.getByRole("button", { name: /^Keep/ }).first().click({ timeout: 30_000 });
  await expect(page.getByText("Kept until somebody removes it")).toBeVisible();
  const list = await ownerApi.get("/outputs?kept=true&search=lighthouse%20fog&limit=1");
  expect(list.data).toMatchObject([{ kept: { prompt, api_type: "image-generation" } }]);

  // The kept image can also be the input of another run.
  const playground = new Playground(page);
  await playground.open("svc/img-gen-a-1", "image-editing");
  await playground.input
    .getByRole("button", { name: /^Choose an upload for/ })
    .first()
    .click();
  const picker = page.getByRole("dialog", { name: "Choose an upload" });
  await picker.getByRole("tab", { name: "Library" }).click();
  await expectAccessibleState(page);
  await picker.getByRole("button", { name: prompt }).click();
  await expect(picker).toBeHidden();
  await playground.run.click();
  await expect(playground.result.getByText("Succeeded")).toBeVisible({ timeout: 30_000 });
});
