import type { Page, Route } from "@playwright/test";
import sharp from "sharp";
import { expect, test } from "./fixtures.ts";
import { openPage } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";
import { until } from "./seed-data.ts";

const expiredLink = {
  status: 403,
  headers: { "access-control-allow-origin": "*" },
  json: {
    error: {
      message: "The link has expired.",
      type: "permission_error",
      code: "signature_expired",
      param: null,
      request_id: null,
    },
  },
};
const isOutput = ({ pathname }: URL) => pathname.includes("/v1/files/outputs/");
const isUploadContent = ({ pathname }: URL) => /\/v1\/uploads\/[^/]+\/content$/.test(pathname);

test("a picture with an expired link loads from a new link", async ({ page, seedData }) => {
  let asked = 0;
  await page.route(isOutput, (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill(expiredLink) : route.fallback();
  });
  await openPage(page, `/predictions/${seedData.prediction}`);
  await expectPicture(page);
  expect(asked).toBeGreaterThan(1);
});

test("a picture that cannot be loaded shows why, and can be tried again", async ({ page, seedData }) => {
  const refuse = (route: Route) => route.fulfill(expiredLink);
  await page.route(isOutput, refuse);
  await openPage(page, `/predictions/${seedData.prediction}`);
  const output = page.getByRole("tabpanel", { name: "Output" });
  await expect(output.getByRole("alert")).toContainText("The link has expired.");
  await expect(output.getByRole("link", { name: "Download", exact: true })).toBeVisible();
  await page.unroute(isOutput, refuse);
  await output.getByRole("button", { name: "Try again" }).click();
  await expectPicture(page);
});

test("the inputs of a run stay when the user changes it and runs it again", async ({ page, ownerApi }) => {
  await ownerApi.attest("adult");
  const models = (await ownerApi.get("/models/svc/adult-edit")) as { operations: { example: object }[] };
  const { id } = await ownerApi.post("/images/edits", models.operations[0]?.example);
  await until(async () => {
    const { input } = await ownerApi.get(`/predictions/${id}`);
    return JSON.stringify(input).includes("/v1/files/inputs/") ? true : undefined;
  });
  await openPage(page, `/predictions/${id}`);
  await page.getByRole("link", { name: "Tweak and run again" }).click();
  const playground = new Playground(page);
  await expect(playground.input.getByText("Stored in this gateway")).toBeVisible();
  const preview = playground.input.getByRole("img", { name: /^Preview of inputs/ });
  await expect
    .poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await expect(playground.input.locator("[aria-invalid=true]")).toHaveCount(0);
  await playground.run.click();
  await expect(playground.result.getByText(/Starting|Processing|Succeeded/).first()).toBeVisible();
});

test("an upload survives an expired link and a broken connection", async ({ page }) => {
  const answers = [
    (route: Route) => route.fulfill(expiredLink),
    async (route: Route) => {
      await route.fetch();
      return route.abort("connectionreset");
    },
  ];
  await page.route(isUploadContent, (route) =>
    route.request().method() === "PUT" ? (answers.shift() ?? fallBack)(route) : route.fallback(),
  );
  await openPage(page, "/uploads");
  // Another test uploads a file of this name, too.
  const name = `harbour-${Date.now()}.png`;
  await choose(page, name);
  // The upload waits one second, then two, before it tries again.
  await expect(page.getByRole("row", { name })).toContainText("Verified", { timeout: 30_000 });
  expect(answers).toEqual([]);
});

test("reloading during an upload shows a question first", async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(isUploadContent, async (route) => {
    await held;
    return route.fallback();
  });
  await openPage(page, "/uploads");
  await choose(page, "slow.png");
  await expect(page.getByText("slow.png").first()).toBeVisible();
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => void setTimeout(() => location.reload()));
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  release();
  await expect(page.getByRole("row", { name: /slow\.png/ }).first()).toContainText("Verified");
});

const fallBack = (route: Route) => route.fallback();

async function expectPicture(page: Page): Promise<void> {
  const picture = page.getByRole("tabpanel", { name: "Output" }).getByRole("img");
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
}

async function choose(page: Page, name: string): Promise<void> {
  const buffer = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#48a" } })
    .png()
    .toBuffer();
  await page.locator("main input[type=file]").first().setInputFiles({ name, mimeType: "image/png", buffer });
}
