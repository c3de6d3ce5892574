import type { Locator, Page } from "@playwright/test";
import { landscapeImage } from "../gateway/models/catalog/example-media.ts";
import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

const photo = {
  name: "harbour.png",
  mimeType: /^data:([^;]+)/.exec(landscapeImage)?.[1] ?? "",
  buffer: Buffer.from(landscapeImage.split(",")[1] ?? "", "base64"),
};

const column = (page: Page, model: string) => page.getByRole("region", { name: model, exact: true });
const runButton = (page: Page) => page.getByRole("button", { name: /^Run/ });

async function choosePhoto(page: Page, button: Locator): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await button.click();
  await (await chooser).setFiles(photo);
}

test("one photo is tried on several models, each said what it leaves out, and the page is kept", async ({
  page,
  ownerApi,
}) => {
  await ownerApi.attest("adult");
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };
  await openPage(page, "/");
  await click(page.getByRole("link", { name: "Try models side by side" }));
  await expect(page.getByText("Write a prompt or choose a file")).toBeVisible();
  clicks += 1;
  await choosePhoto(page, page.getByRole("button", { name: "Choose files for Pictures" }));
  const words = page.getByRole("textbox", { name: "Prompt or text" });
  await words.fill("a quiet harbour");
  await expect(page.getByRole("checkbox", { name: "svc/adult-i2v-1" })).toBeVisible();
  for (const model of [
    "svc/img-gen-a-1",
    "svc/img-gen-a-2",
    "svc/adult-edit",
    "svc/adult-i2v-1",
    "svc/adult-i2v-2",
  ])
    await click(page.getByRole("checkbox", { name: model, exact: true }));
  await expect(page.getByText(/^Together: /)).toBeVisible();
  await expectAccessible(page);
  await click(runButton(page));
  expect(clicks).toBeLessThanOrEqual(8);

  await expect(page).toHaveURL(/\/batches\/batch_/);
  await expect(page.getByText("Batch status: Finished")).toBeAttached({ timeout: 90_000 });
  await expect(
    column(page, "svc/img-gen-a-1").getByRole("img", { name: "Output 1 of svc/img-gen-a-1" }),
  ).toBeVisible();
  await expect(column(page, "svc/adult-i2v-1")).toContainText("Succeeded");
  await test.step("one slider compares any picture with all others", async () => {
    await page.getByRole("combobox", { name: "Lay over all others" }).selectOption("svc/img-gen-a-2");
    const line = page.getByRole("slider", { name: "Dividing line" });
    await line.press("ArrowRight");
    await expect(line).toHaveAttribute("aria-valuetext", "51 % of Output 1 of svc/img-gen-a-2");
    const frames = await page
      .getByRole("button", { name: /^Open Output 1 of svc\/(img|adult-edit)/ })
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()));
    expect(frames).toHaveLength(3);
    expect(
      new Set(frames.map(({ width, height }) => `${Math.round(width)}:${Math.round(height)}`)).size,
    ).toBe(1);
  });
  await test.step("the best one is kept with the page, for everybody who opens it", async () => {
    await page.getByRole("button", { name: "Best: svc/adult-edit" }).click();
    await expect(page.getByRole("button", { name: "Best: svc/adult-edit" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await page.reload();
    await expect(page.getByRole("button", { name: "Best: svc/adult-edit" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
  });
  await expect(page.getByRole("button", { name: "Share comparison" })).toBeVisible();
  await expectAccessible(page);
  await test.step("it is changed and run again from there", async () => {
    await page.getByRole("link", { name: "Change and run again" }).click();
    await expect(words).toHaveValue("a quiet harbour");
    await expect(page.getByRole("checkbox", { name: "svc/adult-edit" })).toBeChecked();
    await page.getByText("Video, audio and options").click();
    await page.getByRole("spinbutton", { name: "Number of results" }).fill("4");
    await expect(page.getByRole("listitem").filter({ hasText: "svc/adult-edit" })).toContainText(
      "Makes 1 picture instead of 4.",
    );
  });
});

test("the draft of a playground is tried on models of other kinds; what one alone needs is asked beside it", async ({
  page,
}) => {
  await openPage(page, "/playground/svc/img-gen-a-1/image-generation");
  await page.getByRole("textbox", { name: "Prompt" }).fill("boats in a harbour");
  await page.getByRole("link", { name: "Try on other models…" }).click();
  await expect(page.getByRole("textbox", { name: "Prompt or text" })).toHaveValue("boats in a harbour");
  await expect(page.getByRole("checkbox", { name: "svc/img-gen-a-1" })).toBeChecked();
  const drawing = page.getByRole("listitem").filter({ hasText: "svc/img-gen-b" });
  await expect(drawing).toContainText("Does not know size 1024*1024.");
  for (const model of ["svc/img-gen-b", "svc/chat-1"])
    await page.getByRole("checkbox", { name: model, exact: true }).check();
  await expect(page.getByRole("group", { name: "Only for svc/img-gen-b" })).toContainText("Quality");
  await runButton(page).click();
  await expect(page.getByText("Batch status: Finished")).toBeAttached({ timeout: 60_000 });
  await expect(column(page, "svc/chat-1")).toContainText("Succeeded");
  await column(page, "svc/chat-1")
    .getByRole("link", { name: /^Open in the playground/ })
    .click();
  await expect(page.getByText(/^Input of row \d of batch_/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: /content/i }).first()).toHaveValue("boats in a harbour");
});

test("what was changed of a loaded input is there after a reload, with a way back to the original", async ({
  page,
  seedData,
}) => {
  const words = page.getByRole("textbox", { name: "Prompt or text" });
  const back = page.getByRole("button", { name: "Load the original again" });
  await openPage(page, `/compare?from=${seedData.comparison}`);
  await expect(words).not.toHaveValue("");
  const original = await words.inputValue();
  await expect(back).toBeHidden();
  await words.fill("a lighthouse at dawn");
  await page.getByRole("checkbox", { name: "svc/img-gen-b" }).check();
  await expect(back).toBeVisible();
  await page.reload();
  await expect(words).toHaveValue("a lighthouse at dawn");
  await expect(page.getByRole("checkbox", { name: "svc/img-gen-b" })).toBeChecked();
  await expectAccessible(page);
  await back.click();
  await expect(words).toHaveValue(original);
  await expect(page.getByRole("checkbox", { name: "svc/img-gen-b" })).not.toBeChecked();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(words).toHaveValue("a lighthouse at dawn");
});

test("the page is found by Ctrl K, says what it leaves out, and shows the account's budget", async ({
  page,
  ownerApi,
}) => {
  const budgets = (amounts: readonly object[]) =>
    ownerApi.send("PATCH", "/account/budgets", { budgets: amounts });
  await budgets([{ amount: "1000", period: "month", hard: true }]);
  try {
    await openPage(page, "/keys");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or go to" }).fill("compare");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/compare$/);
    await expect(page.getByRole("link", { name: "Compare", exact: true })).toHaveAttribute(
      "aria-current",
      "page",
    );
    await expect(page.getByText(/Embeddings, ranking and voices are not offered here/)).toBeVisible();
    await expect(page.getByText(/left of this month’s budget/)).toBeVisible();
    await openPage(page, "/playground/svc/chat-1/chat-completions");
    await expect(page.getByText(/left of this month’s budget/)).toBeVisible();
  } finally {
    await budgets([]);
  }
});

test("the list of batches shows comparisons alone", async ({ page, seedData }) => {
  const row = (id: string) => page.locator(`a[data-row-link][href$="${id}"]`);
  await openPage(page, "/batches");
  await expect(row(seedData.batch)).toBeVisible();
  await page.getByRole("combobox", { name: "Kind" }).selectOption({ label: "Comparisons" });
  await expect(page).toHaveURL(/kind=comparison/);
  await expect(row(seedData.comparison)).toBeVisible();
  await expect(row(seedData.batch)).toBeHidden();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a comparison fits: chosen models, what they need, and the results", async ({ page, seedData }) => {
    const fits = async () =>
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      ).toBeLessThanOrEqual(0);
    await openPage(page, "/compare");
    await page.getByRole("textbox", { name: "Prompt or text" }).fill("a heron");
    await page.getByRole("checkbox", { name: "svc/img-gen-b" }).check();
    await expect(page.getByRole("group", { name: "Only for svc/img-gen-b" })).toContainText("Quality");
    await expect(page.getByText(/^Together: /)).toBeVisible();
    await fits();
    await openPage(page, `/batches/${seedData.comparison}`);
    await expect(column(page, "svc/img-gen-a-2")).toContainText("Succeeded");
    await fits();
  });
});
