import { readCsv } from "#contract/csv.ts";
import { expect, test } from "./fixtures.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

test("filters are saved under a name, opened from it, downloaded as CSV, and deleted with an undo", async ({
  page,
}) => {
  await openPage(page, "/requests?status_class=2xx&console_reads=true");
  await page.getByRole("button", { name: "Views" }).click();
  const dialog = page.getByRole("dialog", { name: "Saved views" });
  await expect(dialog.getByText("No views yet.")).toBeVisible();
  await dialog.getByRole("textbox", { name: "Save the current filters as" }).fill("What worked");
  await dialog.getByRole("checkbox", { name: "For everybody in the account" }).check();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("link", { name: /What worked/ })).toBeVisible();
  await expectAccessibleState(page);

  await openPage(page, "/requests");
  await page.getByRole("button", { name: "Views" }).click();
  await dialog.getByRole("link", { name: /What worked/ }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\?status_class=2xx&console_reads=true$/);
  await expect(page.getByRole("combobox", { name: "Status" })).toHaveValue("2xx");
  await expectAccessible(page);

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV", exact: true }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("requests.csv");
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  const [head, ...rows] = readCsv(Buffer.concat(chunks).toString(), ",");
  const status = head?.cells.indexOf("status") ?? -1;
  expect(rows.length).toBeGreaterThan(0);
  for (const { cells } of rows) expect(cells[status]).toMatch(/^2/);

  await page.getByRole("button", { name: "Views" }).click();
  const remove = dialog.getByRole("button", { name: "Delete view What worked" });
  await remove.click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Views" }).click();
  await expect(dialog.getByRole("link", { name: /What worked/ })).toBeVisible();
  await remove.click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Views" }).click();
  await expect(dialog.getByText("No views yet.")).toBeVisible();
});
