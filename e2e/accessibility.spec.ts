import type { Locator, Page } from "@playwright/test";
import { expect, signedOut, test } from "./fixtures.ts";
import { expectAccessible, expectAccessibleState } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";
import { SecretDialog } from "./pages/secret-dialog.ts";

test("the pages for unknown addresses are accessible", async ({ page }) => {
  for (const path of [
    "/nowhere",
    "/predictions/pred_00000000000000000000000000",
    "/webhooks/deliveries/dlv_00000000000000000000000000",
    "/webhooks/endpoints/we_00000000000000000000000000",
    "/catalog/svc/none",
    "/predictions?model=svc%2Fvid-edit&status=failed",
    "/webhooks/deliveries?status=canceled",
  ]) {
    await openPage(page, path);
    await expect.soft(page.locator("h1"), path).toHaveCount(1);
    await expectAccessible(page);
  }
});

test.describe("pages for signed-out visitors are accessible", () => {
  test.use(signedOut);

  test("both ways to sign in and the error are accessible", async ({ page }) => {
    await openPage(page, "/sign-in");
    await expectAccessible(page);
    await page.getByRole("textbox", { name: "E-mail" }).fill("nobody@example.com");
    await page.getByLabel(/^Password/).fill("wrong password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("Wrong e-mail or password")).toBeVisible();
    await expectAccessibleState(page);
    await page.getByRole("tab", { name: "Account key" }).click();
    await expectAccessibleState(page);
  });
});

test("everything that can be opened on every page is accessible", async ({ page }) => {
  await openPage(page, "/");
  await page.getByRole("button", { name: /Search or go to/ }).click();
  await expect(page.getByRole("option").first()).toBeVisible();
  await expectAccessibleState(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await expectAccessibleState(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Profile and settings" }).click();
  await expect(page.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
  await expectAccessibleState(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /theme/i }).click();
  await expectAccessibleState(page);
});

test("the dialogs of endpoints and deliveries are accessible", async ({
  page,
  seedData,
  receiver,
  ownerApi,
}) => {
  await openPage(page, "/webhooks/endpoints");
  await page.getByRole("button", { name: "Add endpoint" }).first().click();
  const form = page.getByRole("dialog", { name: "Add endpoint" });
  await form.getByRole("button", { name: "Add endpoint" }).click();
  await expect(form.getByRole("textbox", { name: "URL" })).toHaveAttribute("aria-invalid", "true");
  await expectAccessibleState(page);
  await form.getByRole("textbox", { name: "URL" }).fill(`${receiver.url}/axe`);
  await form.getByRole("button", { name: "Add endpoint" }).click();
  const secret = new SecretDialog(page, "signing secret");
  await expect(secret.root).toBeVisible();
  await expectAccessibleState(page);
  await page.keyboard.press("Escape");
  await expect(secret.root.getByRole("alert")).toBeVisible();
  await expectAccessibleState(page);
  await secret.root.getByRole("button", { name: "Go back" }).click();
  await secret.close();

  await openPage(page, `/webhooks/endpoints/${seedData.endpoint}`);
  for (const item of ["Rotate secret…", "Disable…", "Delete…"]) {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: item }).click();
    await expectDialogAccessible(page);
  }
  await page.getByRole("button", { name: "Edit" }).click();
  await expectDialogAccessible(page);

  receiver.answer((_received, response) => response.writeHead(500).end());
  const failing = await ownerApi.post("/webhooks/endpoints", { url: `${receiver.url}/failing` });
  await ownerApi.post(`/webhooks/endpoints/${failing.id}/test`);
  await openPage(page, `/webhooks/deliveries?endpoint_id=${failing.id}`);
  await page.getByRole("button", { name: /Retry all matching/i }).click();
  await expect(page.getByRole("dialog").getByRole("status")).toContainText("can be retried");
  await expectDialogAccessible(page);

  await openPage(page, `/webhooks/deliveries/${seedData.delivery}`);
  for (const tab of ["Request", "Timings", "As curl"]) {
    await page.getByRole("tab", { name: tab }).click();
    await expectAccessibleState(page);
  }
});

test("the dialogs of keys, attestations and imports are accessible", async ({ page, ownerApi }) => {
  await ownerApi.post("/keys", { name: "to be rotated", monthly_budget: { token: 1000 } });
  await openPage(page, "/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const form = page.getByRole("dialog", { name: "Create key" });
  await form.getByText("Limits: models").click();
  await form.getByText("Budgets", { exact: true }).click();
  await form.getByRole("textbox", { name: "Chat tokens" }).fill("many");
  await form.getByRole("button", { name: "Create key" }).click();
  await expectDialogAccessible(page);
  for (const item of ["Edit budget…", "Rotate…"]) {
    await page
      .getByRole("button", { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: item }).click();
    await expectDialogAccessible(page);
  }

  await ownerApi.withdraw("adult");
  await openPage(page, "/attestations");
  await page.getByRole("button", { name: "Read and attest…" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox").check();
  await expectAccessibleState(page);
  await dialog.getByRole("button", { name: "Review" }).click();
  await expectAccessibleState(page);
  await dialog.getByRole("button", { name: "Record attestation" }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Withdraw…" }).first().click();
  await expectDialogAccessible(page);

  await openPage(page, "/operator/providers");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Import…" }).click();
  const importing = page.getByRole("dialog", { name: "Import" });
  await importing.getByText("LiteLLM", { exact: true }).click();
  await importing.locator("input[type=file]").setInputFiles({
    name: "config.yaml",
    mimeType: "application/yaml",
    buffer: Buffer.from(`model_list:
  - model_name: gpt-4o
    litellm_params: { model: openai/gpt-4o, api_key: sk-in-clear }
litellm_settings: { max_budget: 5, cache: true }`),
  });
  await expect(importing.getByRole("button", { name: "Import 4 items" })).toBeVisible();
  await expect(importing.getByText("New providers")).toBeInViewport();
  await expectDialogAccessible(page);
});

test("the states of a playground are accessible", async ({ page, ownerApi, seedData }) => {
  await ownerApi.withdraw("adult");
  const playground = new Playground(page);
  await playground.open("svc/adult-i2v-1", "video-generation");
  await page.getByRole("textbox", { name: "Prompt", exact: true }).fill("");
  await playground.run.click();
  await expect(playground.input.getByRole("alert")).toContainText("Fix this");
  await expectAccessible(page);
  await playground.tab("JSON");
  await expectAccessibleState(page);
  await playground.tab("Code");
  await expectAccessibleState(page);
  await playground.tab("Form");
  await page.getByRole("button", { name: "Attestation needed" }).click();
  await expect(page.getByRole("dialog").getByRole("checkbox")).toBeVisible();
  await expectDialogAccessible(page);
  await playground.input.getByRole("button", { name: "Remove image" }).click();
  await playground.input.getByRole("button", { name: "Choose an upload for Image" }).click();
  await expect(page.getByRole("dialog")).toContainText("pixel.png");
  await expectDialogAccessible(page);

  await playground.open("svc/img-gen-a-1", "image-generation");
  await page.getByRole("spinbutton", { name: "Number of images" }).fill("2");
  await playground.run.click();
  await expect(playground.result.getByText("Succeeded")).toBeVisible({ timeout: 30_000 });
  await expectAccessibleState(page);
  await playground.result.getByRole("button", { name: "Compare" }).click();
  await expectDialogAccessible(page);
  await playground.resultTab("Raw");
  await expectAccessibleState(page);
  await playground.resultTab("History");
  await expectAccessibleState(page);

  await openPage(page, `/predictions/${seedData.prediction}`);
  for (const tab of ["Input", "Raw JSON"]) {
    await page.getByRole("tab", { name: tab }).click();
    await expectAccessibleState(page);
  }
});

test("with the system's colours the selected row is visible, and addresses have no ligatures", async ({
  page,
  seedData,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  const look = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).backgroundColor);
  await openPage(page, `/predictions/${seedData.prediction}`);
  const rail = page.getByRole("navigation", { name: "Pages", exact: true });
  const pairs: [chosen: Locator, other: Locator][] = [
    [page.getByRole("tab", { selected: true }), page.getByRole("tab", { selected: false }).first()],
    [
      rail.getByRole("link", { name: "Predictions", exact: true }),
      rail.getByRole("link", { name: "Batches", exact: true }),
    ],
  ];
  for (const [chosen, other] of pairs) expect(await look(chosen)).not.toBe(await look(other));
  for (const text of [
    page.getByRole("heading", { level: 1 }),
    page.getByRole("navigation", { name: "Breadcrumb" }),
  ])
    expect(await text.evaluate((element) => getComputedStyle(element).fontVariantLigatures)).toBe("none");

  await openPage(page, "/activity");
  const span = page.locator("label:has(input[type=radio])");
  expect(await look(span.filter({ has: page.locator(":checked") }).first())).not.toBe(
    await look(span.filter({ has: page.locator(":not(:checked)") }).first()),
  );
});

test("at 200 % zoom at least half of the height shows content", async ({ page }) => {
  // A window of 1,280 by 800 pixels.
  await page.setViewportSize({ width: 640, height: 400 });
  for (const path of [
    "/playground/svc/chat-1/chat-completions",
    "/playground/svc/img-gen-b/image-generation",
    "/compare?operation=svc/chat-1:chat-completions",
    "/batches/new",
    "/webhooks/deliveries",
  ]) {
    await openPage(page, path);
    for (const top of [0, 200]) {
      await page.evaluate((to) => window.scrollTo(0, to), top);
      const share = await page.evaluate(() => {
        const points = Array.from({ length: innerHeight }, (_, y) =>
          document.elementFromPoint(innerWidth / 2, y),
        );
        const isContent = (element: Element | null) => {
          if (!element?.closest("main")) return false;
          for (let part: Element | null = element; part; part = part.parentElement)
            if (["sticky", "fixed"].includes(getComputedStyle(part).position)) return false;
          return true;
        };
        return points.filter(isContent).length / innerHeight;
      });
      expect.soft(share, `${path} at ${top}`).toBeGreaterThanOrEqual(0.5);
    }
  }
});

/** Checks the open dialog and closes it. */
async function expectDialogAccessible(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expectAccessibleState(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
}
