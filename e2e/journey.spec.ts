import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expect, test } from "./fixtures.ts";
import { expectToPlay } from "./pages/media.ts";
import { openPage, scrollTo } from "./pages/open-page.ts";
import { Playground } from "./pages/playground.ts";

/** Encoding a video takes a while on two cores. */
const VIDEO_TIMEOUT_MS = 90_000;

test("the catalog links to an entry and its playground", async ({ page }) => {
  await openPage(page, "/catalog");
  await expect(page.getByText(/^\d+ models$/)).toBeVisible();
  await page.getByRole("searchbox", { name: "Search models" }).fill("vid-t2v");
  await expect(page.getByText(/^1 of \d+ models$/)).toBeVisible();
  await expect(page).toHaveURL(/q=vid-t2v/);
  await page.getByRole("link", { name: "svc/vid-t2v", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: /svc\/vid-t2v/ })).toBeVisible();
  await page.getByRole("link", { name: "Open in the playground" }).click();
  await expect(page.getByRole("textbox", { name: "Prompt", exact: true })).toHaveValue(/river/);
});

test("a chat streams and shows its speed", async ({ page }) => {
  const playground = new Playground(page);
  await playground.open("svc/chat-1", "chat-completions");
  await playground.tab("Form");
  await page.getByRole("textbox", { name: "Content of message 2" }).fill("Say the word heliotrope.");
  await playground.run.click();
  await expect(playground.result.getByText("The model is answering.")).toBeAttached();
  await expect(playground.result.getByText("Succeeded")).toBeVisible();
  await expect(playground.result.getByRole("article")).toContainText("Say the word heliotrope.");
  await expect(playground.result.getByText(/first token .* tokens\/s/)).toBeVisible();
});

test("Stop ends a chat and keeps the text that arrived", async ({ page }) => {
  const playground = new Playground(page);
  await playground.open("svc/chat-1", "chat-completions");
  await playground.tab("Form");
  await page.getByRole("textbox", { name: "Content of message 2" }).fill("heliotrope ".repeat(60));
  await playground.run.click();
  const answer = playground.result.getByRole("article");
  await expect(answer).toContainText("Sandbox reply");
  await playground.input.getByRole("button", { name: "Stop" }).click();
  await expect(
    playground.result.getByText("You stopped this answer. The answer is incomplete."),
  ).toBeVisible();
  await expect(answer).toContainText("Sandbox reply");
  // The complete reply ends with this line.
  await expect(answer).not.toContainText("Usage is counted");
  await expect(playground.run).toBeEnabled();
});

test("speech can be played and has a duration", async ({ page }) => {
  const playground = new Playground(page);
  await playground.open("svc/tts-b-1", "text-to-speech");
  await playground.run.click();
  const audio = playground.result.locator("audio");
  await expect
    .poll(() => audio.evaluate((element: HTMLAudioElement) => element.duration).catch(() => 0))
    .toBeGreaterThan(0.5);
  await expect(playground.result.getByText(/^0:00\.0 \/ 0:0[1-9]/)).toBeVisible();
  await playground.result.getByRole("button", { name: /^Play Speech/ }).click();
  await expect
    .poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime))
    .toBeGreaterThan(0);
});

test("an image is shown and opens large", async ({ page }) => {
  const playground = new Playground(page);
  await playground.open("svc/img-gen-a-1", "image-generation");
  const example = playground.result.getByRole("figure");
  await expect(example).toContainText("Example, made without the model.");
  const prompt = page.getByRole("textbox", { name: "Prompt", exact: true });
  await prompt.fill("something else");
  await playground.input.getByRole("button", { name: "Example" }).click();
  await expect(prompt).toHaveValue(/^A quiet harbour/);
  await playground.run.click();
  await expect(example).toBeHidden();
  const image = playground.result.getByRole("img", { name: /^Image: A quiet harbour/ });
  await expect(image).toBeVisible({ timeout: 30_000 });
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBeGreaterThanOrEqual(512);
  await playground.result.getByRole("button", { name: /^Open Image/ }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("a video is followed on its prediction page until it plays", async ({ page }) => {
  test.setTimeout(VIDEO_TIMEOUT_MS);
  const playground = new Playground(page);
  await playground.open("svc/vid-t2v", "video-generation");
  await playground.run.click();
  await playground.result.getByRole("link", { name: "Open prediction" }).click();
  await expect(page).toHaveURL(/\/predictions\/pred_/);
  await expect(page.getByRole("heading", { level: 1, name: "svc/vid-t2v" })).toBeVisible();
  await expectVideo(page);
  const timeline = page.getByRole("region", { name: "Timeline" });
  for (const phase of [/queue/i, /run/i, /output/i, /remov/i])
    await expect(timeline.getByText(phase).first()).toBeVisible();
  await scrollTo(page, page.getByText(/Input and outputs are removed in/));
  await page.getByRole("tab", { name: "Input" }).click();
  await expect(page.getByText("A river winds through a green valley").first()).toBeVisible();
  await page.getByRole("tab", { name: "Raw JSON" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("succeeded");
});

test("a gated video: an upload from the form, the attestation, the same draft, then Run", async ({
  page,
  ownerApi,
}) => {
  test.setTimeout(VIDEO_TIMEOUT_MS);
  await ownerApi.withdraw("adult");
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/gateway/videos/generations"))
      sent.push(request.url());
  });
  const playground = new Playground(page);
  await playground.open("svc/adult-i2v-1", "video-generation");
  await page
    .getByRole("textbox", { name: "Prompt", exact: true })
    .fill("The lamp flickers, the curtain moves");
  await uploadImage(page, playground);
  await expect(playground.facts).toContainText("Attestation needed");
  await expect(playground.result.getByRole("figure")).toHaveCount(0);

  await playground.run.click();
  const dialog = page.getByRole("dialog", { name: "Adult attestation" });
  const tick = dialog.getByRole("checkbox");
  await expect(tick).not.toBeChecked();
  await expect(dialog.getByRole("button", { name: "Review" })).toBeDisabled();
  await tick.check();
  await dialog.getByRole("button", { name: "Review" }).click();
  await expect(dialog).toContainText("owner@example.com");
  await dialog.getByRole("button", { name: "Record attestation" }).click();
  await expect(dialog).toBeHidden();

  await expect(playground.run).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Prompt", exact: true })).toHaveValue(
    "The lamp flickers, the curtain moves",
  );
  await expect(playground.input.getByText("lamp.png")).toBeVisible();
  await expect(playground.facts).toContainText("Gates passed");
  expect(sent).toHaveLength(0);

  await playground.run.click();
  await playground.result.getByRole("link", { name: "Open prediction" }).click();
  await expect(page).toHaveURL(/\/predictions\/pred_/);
  await expectVideo(page);
  expect(sent).toHaveLength(1);
});

async function expectVideo(page: Page): Promise<void> {
  const video = page.locator("main video").first();
  await expect(video).toBeVisible({ timeout: 60_000 });
  await expectToPlay(video);
}

/** Replaces the example's image with a file, through create, PUT and verify. */
async function uploadImage(page: Page, playground: Playground): Promise<void> {
  await playground.input.getByRole("button", { name: "Remove image" }).click();
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  const buffer = await sharp({ create: { width: 1200, height: 800, channels: 3, background: "#335", noise } })
    .png()
    .toBuffer();
  const verified = page.waitForResponse((response) => response.url().endsWith("/verify"));
  await playground.input
    .getByLabel("Image", { exact: true })
    .setInputFiles({ name: "lamp.png", mimeType: "image/png", buffer });
  await expect(playground.input.getByRole("progressbar", { name: /lamp\.png/ })).toBeVisible();
  expect(await (await verified).json()).toMatchObject({ status: "verified" });
  await expect(playground.input.getByRole("img", { name: "Preview of lamp.png" })).toBeVisible();
  await playground.tab("JSON");
  await expect(playground.input.getByRole("textbox")).toHaveValue(/upload:\/\/upl_/);
  await playground.tab("Form");
}
