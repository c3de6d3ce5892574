import type { Page } from "@playwright/test";
import { expect, signedOut, test } from "./fixtures.ts";
import { isAlive, openPage } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";

// No mouse in this file: every step is a key.

test.describe("a signed-out visitor", () => {
  test.use(signedOut);

  test("signs in, then opens a model from the palette", async ({ page, stack }) => {
    await page.goto("/sign-in");
    await tabTo(page, page.getByRole("textbox", { name: "E-mail" }));
    await page.keyboard.type(stack.owner.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(stack.owner.password);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeVisible();
    await isAlive(page);

    await page.keyboard.press("Control+k");
    const search = page.getByPlaceholder(/^A page, something to do, a model/);
    await expect(search).toBeFocused();
    await page.keyboard.type("vid-t2v");
    await expect(page.getByRole("option", { name: /svc\/vid-t2v/ })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/catalog\/svc\/vid-t2v/);
  });
});

test("the first Tab reaches the skip link", async ({ page }) => {
  await openPage(page, "/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("runs and stops a chat, and moves through its views", async ({ page }) => {
  const playground = new Playground(page);
  await playground.open("svc/chat-1", "chat-completions");
  await playground.tab("Form");
  const message = page.getByRole("textbox", { name: "Content of message 2" });
  await tabTo(page, message);
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText("heliotrope ".repeat(60));
  await page.keyboard.press("Control+Enter");
  const answer = playground.result.getByRole("article");
  await expect(answer).toContainText("Sandbox reply");
  await page.keyboard.press("Escape");
  await expect(playground.result.getByText("You stopped this answer")).toBeVisible();

  await tabTo(page, playground.result.getByRole("tab", { name: "Output" }));
  await page.keyboard.press("ArrowRight");
  await expect(playground.result.getByRole("tab", { name: "Raw" })).toBeFocused();
  await expect(playground.result.getByText("Idempotency-Key")).toBeVisible();
  await page.keyboard.press("End");
  await expect(playground.result.getByRole("tabpanel", { name: /History/ })).toContainText("heliotrope");
});

test("an error links to its field", async ({ page }) => {
  const playground = new Playground(page);
  await playground.open("svc/vid-t2v", "video-generation");
  const prompt = page.getByRole("textbox", { name: "Prompt", exact: true });
  await tabTo(page, prompt);
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.press("Control+Enter");
  const summary = playground.input.getByRole("alert");
  await expect(summary).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(prompt).toBeFocused();
  await expect(prompt).toHaveAttribute("aria-invalid", "true");
});

test("an unticked confirmation gets the focus", async ({ page }) => {
  const playground = new Playground(page);
  await playground.open("svc/swap-1", "image-editing");
  await page.keyboard.press("Control+Enter");
  const box = playground.input.getByRole("checkbox", { name: /identifiable person/ });
  await expect(box).toBeFocused();
  await expect(box).toHaveAttribute("aria-invalid", "true");
});

test("closing the dialog for a missing confirmation moves the focus to its checkbox", async ({
  page,
  ownerApi,
}) => {
  await ownerApi.attest("adult");
  await ownerApi.attest("portrait_rights");
  await page.route("**/api/gateway/images/edits", (route) =>
    route.fulfill({
      status: 403,
      json: {
        error: {
          message: "Confirm the rights of the people shown.",
          type: "permission_error",
          code: "person_rights_confirmation_required",
          param: "person_rights_confirmed",
          request_id: null,
        },
      },
    }),
  );
  const playground = new Playground(page);
  await playground.open("svc/swap-1", "image-editing");
  const box = playground.input.getByRole("checkbox", { name: /identifiable person/ });
  await box.check();
  await page.keyboard.press("Control+Enter");
  const dialog = page.getByRole("dialog", { name: "Person-rights confirmation" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(box).toBeFocused();
});

test("attests, and returns to Run", async ({ page, ownerApi }) => {
  await ownerApi.withdraw("adult");
  const playground = new Playground(page);
  await playground.open("svc/adult-vid-1", "video-generation");
  await expect(playground.facts).toContainText("Attestation needed");
  await page.keyboard.press("Control+Enter");
  const dialog = page.getByRole("dialog", { name: "Adult attestation" });
  await tabTo(page, dialog.getByRole("checkbox"));
  await page.keyboard.press("Space");
  await tabTo(page, dialog.getByRole("button", { name: "Review" }));
  await page.keyboard.press("Enter");
  await tabTo(page, dialog.getByRole("button", { name: "Record attestation" }));
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(playground.run).toBeFocused();
  await expect(playground.input.getByText("The attestation is recorded. Choose Run.")).toBeVisible();
});

test("J and K move through the lists, and through the detail pages of a list", async ({ page, ownerApi }) => {
  for (let made = 0; made < 2; made++)
    await ownerApi.post("/images/generations", {
      model: "svc/img-gen-b",
      prompt: `kite ${made}`,
      quality: "low",
      size: "1024x1024",
      output_format: "png",
    });
  await openPage(page, "/predictions");
  const rows = page.locator("main [data-row-link]");
  const second = (await rows.nth(1).getAttribute("href")) ?? "";
  await page.keyboard.press("j");
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press("j");
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press("k");
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/predictions\/pred_/);
  await isAlive(page);
  await expect(page.getByRole("link", { name: /Older prediction/ })).toBeVisible();
  await page.keyboard.press("j");
  await expect(page).toHaveURL(new RegExp(second.split("?")[0] ?? ""));
  await isAlive(page);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/predictions$/);
  await expect(page.locator(`main [data-row-link][href="${second}"]`)).toBeFocused();
});

test("an endpoint is added, its menu is used, and its dialogs return the focus", async ({
  page,
  receiver,
}) => {
  await openPage(page, "/webhooks/endpoints");
  const add = page.getByRole("button", { name: "Add endpoint" });
  await tabTo(page, add);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "URL" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(add).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "URL" })).toBeFocused();
  await page.keyboard.type(`${receiver.url}/keys`);
  await page.keyboard.press("Enter");
  const secret = page.getByRole("dialog", { name: "Store the signing secret now" });
  await tabTo(page, secret.getByRole("checkbox"));
  await page.keyboard.press("Space");
  await tabTo(page, secret.getByRole("button", { name: "Done" }));
  await page.keyboard.press("Enter");
  await expect(secret).toBeHidden();

  const row = page.getByRole("link", { name: new RegExp(`${receiver.port}/keys`) });
  await tabTo(page, row);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 2, name: "Verify signatures" })).toBeVisible();
  await isAlive(page);
  const more = page.getByRole("button", { name: "More actions" });
  await tabTo(page, more);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Send events again…" })).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("menuitem", { name: "Delete…" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Delete this endpoint?" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
});

test("letter shortcuts do nothing in a field, and nothing at all when they are switched off", async ({
  page,
}) => {
  await openPage(page, "/");
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page.getByRole("heading", { level: 1, name: "Predictions" })).toBeVisible();
  await openPage(page, "/catalog");
  await tabTo(page, page.getByRole("searchbox", { name: "Search models" }));
  await page.keyboard.type("?gr");
  await expect(page.getByRole("searchbox", { name: "Search models" })).toHaveValue("?gr");
  await expect(page.getByRole("dialog")).toBeHidden();

  await openPage(page, "/settings");
  const letters = page.getByRole("switch", { name: "Single-letter keyboard shortcuts" });
  await tabTo(page, letters);
  await page.keyboard.press("Space");
  await expect(letters).not.toBeChecked();
  await openPage(page, "/predictions");
  await page.keyboard.press("?");
  await page.keyboard.press("j");
  await page.keyboard.press("g");
  await page.keyboard.press("b");
  await expect(page.locator("main [data-row-link]").first()).not.toBeFocused();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page).toHaveURL(/\/predictions$/);
  await page.keyboard.press("Control+k");
  await expect(page.getByPlaceholder(/^A page, something to do, a model/)).toBeFocused();
});

test("Esc on the page of a row returns the focus to the row", async ({ page, seedData }) => {
  for (const [list, id] of [
    ["/predictions?search=estuary", seedData.prediction],
    ["/batches", seedData.batch],
    ["/presets", seedData.preset],
    ["/destinations", seedData.destination],
    ["/webhooks/endpoints", seedData.endpoint],
    [`/webhooks/deliveries?prediction_id=${seedData.prediction}`, seedData.delivery],
    ["/operator/models", "svc/chat-1"],
  ] as const) {
    await openPage(page, list);
    const row = page.locator(`main a[data-row-link][href*="${id}"]`).first();
    await row.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname.endsWith(id));
    await isAlive(page);
    await page.keyboard.press("Escape");
    await expect(row, list).toBeFocused();
  }
});

test("no bar covers the focused element", async ({ page }) => {
  await openPage(page, "/guides/webhooks");
  await page.getByRole("heading", { name: "Develop without a public URL" }).scrollIntoViewIfNeeded();
  const first = page.getByRole("navigation", { name: "Guides" }).getByRole("link").first();
  await first.focus();
  expect(await coveredFocus(page)).toBeNull();

  await page.setViewportSize({ width: 375, height: 700 });
  const playground = new Playground(page);
  await playground.open("svc/vid-r2v", "video-generation");
  await tabTo(page, playground.input.getByRole("tab", { name: "Form" }));
  while (!(await playground.run.evaluate((run) => run === document.activeElement))) {
    await page.keyboard.press("Tab");
    expect(await coveredFocus(page)).toBeNull();
  }
});

/** The name of the focused element if something covers it. Null if it is visible. */
function coveredFocus(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const focused = document.activeElement as HTMLInputElement;
    const { left, top, width, height } = focused.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    const shown = [focused, ...(focused.labels ?? [])].some(
      (one) => seen && (one.contains(seen) || seen.contains(one)),
    );
    return shown ? null : focused.outerHTML.slice(0, 200);
  });
}

/** Presses Tab until the element has the focus, and checks that the focus is visible. */
async function tabTo(page: Page, target: import("@playwright/test").Locator): Promise<void> {
  await expect(target).toBeVisible();
  const maxSteps = 120;
  for (let step = 0; step < maxSteps; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      const outline = await target.evaluate((element) => {
        const shown = element.matches("input[type=checkbox], [role=switch]")
          ? (element.closest("label") ?? element)
          : element;
        return [element, shown].some((one) => getComputedStyle(one).outlineStyle !== "none");
      });
      expect(outline, "the focus shows").toBe(true);
      return;
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`not reached by ${maxSteps} presses of Tab: ${target}`);
}
