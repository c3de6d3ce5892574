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

const fiveModels = ["svc/img-gen-a-1", "svc/img-gen-a-2", "svc/adult-edit", "svc/vid-r2v", "svc/adult-vid-1"];

const column = (page: Page, model: string) => page.getByRole("region", { name: model, exact: true });
const runButton = (page: Page) => page.getByRole("button", { name: /^Run/ });

async function choosePhoto(page: Page, button: Locator): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await button.click();
  await (await chooser).setFiles(photo);
}

test("one photo is tried on five models in seven clicks, the attestation included, and the page is kept", async ({
  page,
  ownerApi,
}) => {
  await ownerApi.withdraw("adult");
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
  await click(page.getByRole("button", { name: "Attest for all models" }));
  const gate = page.getByRole("dialog", { name: "Adult attestation" });
  await click(gate.getByRole("checkbox"));
  await click(gate.getByRole("button", { name: "Review" }));
  await click(gate.getByRole("button", { name: "Record attestation" }));
  for (const model of fiveModels)
    await expect(page.getByRole("checkbox", { name: model, exact: true })).toBeChecked();
  await expect(page.getByText(/^Together: /)).toBeVisible();
  await expectAccessible(page);
  await click(runButton(page));
  expect(clicks).toBe(7);

  await expect(page).toHaveURL(/\/compare\/batch_/);
  const frames = page.getByRole("list", { name: "Results side by side" }).locator("[data-frame]");
  /** Where each frame is on the page, and how large. */
  const places = () =>
    frames.evaluateAll((all) =>
      all.map((frame) => {
        const { x, y, width, height } = frame.getBoundingClientRect();
        return [x, y + window.scrollY, width, height].map(Math.round);
      }),
    );
  await expect(frames).toHaveCount(5);
  const first = await places();
  expect(new Set(first.map(([, , width, height]) => `${width}:${height}`)).size).toBe(1);
  await expect(page.getByRole("button", { name: /^Best: / })).toHaveCount(0);
  await expect(page.getByText("Comparison status: Finished")).toBeAttached({ timeout: 90_000 });
  await expect(page.getByRole("button", { name: /^Best: / })).toHaveCount(5);
  expect(await places(), "the frames after the runs are where they were before").toEqual(first);
  await test.step("the arrow keys lead from frame to frame", async () => {
    await frames.nth(0).focus();
    await page.keyboard.press("ArrowRight");
    await expect(frames.nth(1)).toBeFocused();
    const below = first.findIndex(([x, y]) => x === first[1]?.[0] && Number(y) > Number(first[1]?.[1]));
    await page.keyboard.press("ArrowDown");
    await expect(frames.nth(below === -1 ? 1 : below)).toBeFocused();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowLeft");
    await expect(frames.nth(0)).toBeFocused();
  });
  await expect(
    column(page, "svc/img-gen-a-1").getByRole("img", { name: "Output 1 of svc/img-gen-a-1" }),
  ).toBeVisible();
  await expect(column(page, "svc/vid-r2v")).toContainText("Succeeded");
  await test.step("one slider compares the photo, or any picture, with all others", async () => {
    const over = page.getByRole("combobox", { name: "Compare all with" });
    await over.selectOption("Your photo");
    await expect(page.getByRole("slider", { name: "Dividing line" })).toHaveAttribute(
      "aria-valuetext",
      "50 % of Your photo",
    );
    await over.selectOption("svc/img-gen-a-2");
    const line = page.getByRole("slider", { name: "Dividing line" });
    await line.press("ArrowRight");
    await expect(line).toHaveAttribute("aria-valuetext", "51 % of Output 1 of svc/img-gen-a-2");
    const laid = await page
      .getByRole("button", { name: /^Open Output 1 of svc\/(img|adult-edit)/ })
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()));
    expect(laid).toHaveLength(3);
    expect(new Set(laid.map(({ width, height }) => `${Math.round(width)}:${Math.round(height)}`)).size).toBe(
      1,
    );
  });
  await test.step("the page stores the best result for everybody who opens it", async () => {
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
  await test.step("the user changes the input and runs it again from there", async () => {
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

test("a playground's draft is tried on models of other kinds; inputs that only one model needs are beside it", async ({
  page,
}) => {
  await openPage(page, "/playground/svc/img-gen-a-1/image-generation");
  await page.getByRole("textbox", { name: "Prompt" }).fill("boats in a harbour");
  await page.getByRole("link", { name: "Try on other models…" }).click();
  await expect(page.getByRole("textbox", { name: "Prompt or text" })).toHaveValue("boats in a harbour");
  await expect(page.getByRole("checkbox", { name: "svc/img-gen-a-1" })).toBeChecked();
  const drawing = page.getByRole("listitem").filter({ hasText: "svc/img-gen-b" });
  await expect(drawing).toContainText("Does not support size 1024*1024.");
  for (const model of ["svc/img-gen-b", "svc/chat-1"])
    await page.getByRole("checkbox", { name: model, exact: true }).check();
  await page.locator("summary", { hasText: "Only for svc/img-gen-b" }).click();
  await expect(page.getByRole("group", { name: "Only for svc/img-gen-b" })).toContainText("Quality");
  await runButton(page).click();
  await expect(page.getByText("Comparison status: Finished")).toBeAttached({ timeout: 60_000 });
  await expect(column(page, "svc/chat-1")).toContainText("Succeeded");
  await column(page, "svc/chat-1")
    .getByRole("link", { name: /^Open in the playground/ })
    .click();
  await expect(page.getByText(/^Input of row \d of batch_/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Message", exact: true })).toHaveValue("boats in a harbour");
});

test("changes of a loaded input are still there after a reload, and the original can be restored", async ({
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

test("Ctrl K finds the page, which names ignored inputs and shows the account's budget", async ({
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
    // Without an input there is nothing to run, but three ideas.
    await expect(runButton(page)).toBeHidden();
    await page.getByRole("button", { name: /^Ask a question/ }).click();
    await expect(page.getByRole("textbox", { name: "Prompt or text" })).not.toHaveValue("");
    await expect(page.getByText(/left of this month’s budget/)).toBeVisible();
    await openPage(page, "/playground/svc/chat-1/chat-completions");
    await expect(page.getByText(/left of this month’s budget/)).toBeVisible();
  } finally {
    await budgets([]);
  }
});

test("cards show what a model costs, and how long its runs took once there were three", async ({
  page,
  ownerApi,
}) => {
  const input = { model: "svc/img-gen-b", size: "1024x1024", quality: "low", output_format: "png" };
  for (const prompt of ["a reed", "a heron", "a boat"])
    await ownerApi.post("/images/generations", { ...input, prompt });
  const card = (model: string) => page.getByRole("listitem").filter({ hasText: model });
  await expect(async () => {
    await openPage(page, "/compare");
    await page.getByRole("textbox", { name: "Prompt or text" }).fill("a heron");
    await expect(card("svc/img-gen-b")).toContainText(/typically \d/, { timeout: 2_000 });
  }).toPass();
  await expect(card("svc/img-gen-b")).toContainText("sandbox: costs nothing");
  // A model that nobody ran here has no typical time.
  await expect(card("svc/adult-img-2")).not.toContainText("typically");
});

test("a comparison is no batch: it has its own list and address, and its old ones lead there", async ({
  page,
  seedData,
}) => {
  const row = (id: string) => page.locator(`a[data-row-link][href$="${id}"]`);
  await openPage(page, "/batches");
  await expect(row(seedData.batch)).toBeVisible();
  await expect(row(seedData.comparison)).toHaveCount(0);
  await openPage(page, "/batches?kind=comparison&search=herons");
  await expect(page).toHaveURL(/\/compare\/earlier\?search=herons$/);
  await expect(row(seedData.batch)).toHaveCount(0);
  await row(seedData.comparison).click();
  await expect(page).toHaveURL(new RegExp(`/compare/${seedData.comparison}$`));
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  await expect(crumbs.getByRole("link", { name: "Compare", exact: true })).toBeVisible();
  await openPage(page, `/batches/${seedData.comparison}`);
  await expect(page).toHaveURL(new RegExp(`/compare/${seedData.comparison}$`));
  await openPage(page, `/compare/${seedData.batch}`);
  await expect(page).toHaveURL(new RegExp(`/batches/${seedData.batch}$`));
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("a comparison fits: the chosen models, their additional inputs, and the results", async ({
    page,
    seedData,
  }) => {
    const fits = async () =>
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
      ).toBeLessThanOrEqual(0);
    await openPage(page, "/compare");
    await page.getByRole("textbox", { name: "Prompt or text" }).fill("a heron");
    await page.getByRole("checkbox", { name: "svc/img-gen-b" }).check();
    await page.locator("summary", { hasText: "Only for svc/img-gen-b" }).click();
    await expect(page.getByRole("group", { name: "Only for svc/img-gen-b" })).toContainText("Quality");
    await expect(page.getByText(/^Together: /)).toBeVisible();
    await fits();
    await openPage(page, `/compare/${seedData.comparison}`);
    await expect(column(page, "svc/img-gen-a-2")).toContainText("Succeeded");
    await fits();
  });
});
