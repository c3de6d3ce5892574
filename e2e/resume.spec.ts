import { writeFileSync } from "node:fs";
import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./pages/axe.ts";
import { openPage } from "./pages/open-page.ts";

const sizeBytes = 40_000_000;
const soon = { timeout: 40_000 };

test("a large upload continues after a break, a pause and a reload, and another tab shows its progress", async ({
  page,
  context,
}, testInfo) => {
  const [clip, other] = [testInfo.outputPath("harbour.mp4"), testInfo.outputPath("other.mp4")];
  writeFileSync(clip, movie(1));
  writeFileSync(other, movie(2));
  const offsets = watchOffsets(page);
  await openPage(page, "/uploads");
  const second = await context.newPage();
  await openPage(second, "/uploads");
  await page.bringToFront();
  const line = await slowLine(page, context);

  await page.getByLabel("Files to upload").setInputFiles(clip);
  const queue = page.getByRole("region", { name: "Uploads in progress" });
  await expect(queue).toContainText(/Uploading .* of 40 MB · .*\/s · .* left/, soon);
  const row = (tab: Page) => tab.getByRole("row", { name: /harbour\.mp4/ });
  await expect(row(second)).toContainText(/Uploading .* of 40 MB · .*\/s/, soon);
  await expect.poll(() => Math.max(...offsets), soon).toBeGreaterThan(8_000_000);

  await line.cut();
  await expect(queue).toContainText("Waiting for the connection", soon);
  await expectAccessible(page);
  await line.mend();
  await expect(queue).toContainText("Uploading", soon);

  await queue.getByRole("button", { name: "Pause harbour.mp4" }).click();
  await expect(queue).toContainText("Paused");
  await queue.getByRole("button", { name: "Resume harbour.mp4" }).click();
  await expect(queue).toContainText("Uploading", soon);

  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  const unfinished = page.getByRole("region", { name: "Unfinished uploads" });
  await expect(unfinished).toContainText(/harbour\.mp4.* of 40 MB stored/);
  await expectAccessible(page);
  await unfinished.getByLabel("The file of harbour.mp4").setInputFiles(other);
  await expect(queue).toContainText("This is a different file");
  await queue.getByRole("button", { name: /^Remove other\.mp4/ }).click();
  offsets.length = 0;
  await unfinished.getByLabel("The file of harbour.mp4").setInputFiles(clip);
  await expect(row(page)).toContainText("Verified", soon);
  expect(Math.min(...offsets)).toBeGreaterThan(8_000_000);
  await expect(row(second)).toContainText("Verified", soon);
  await expect(unfinished).toHaveCount(0);
});

/** The start offsets of the requests that send parts. */
function watchOffsets(page: Page): number[] {
  const offsets: number[] = [];
  page.on("request", (request) => {
    if (request.method() === "PATCH") offsets.push(Number(request.headers()["upload-offset"]));
  });
  return offsets;
}

/** A slow connection, on which the file takes some seconds, and which can be cut. */
async function slowLine(page: Page, context: BrowserContext) {
  const session = await context.newCDPSession(page);
  const set = (offline: boolean) =>
    session.send("Network.emulateNetworkConditions", {
      offline,
      latency: 20,
      downloadThroughput: -1,
      uploadThroughput: 3_000_000,
    });
  await set(false);
  return { cut: () => set(true), mend: () => set(false) };
}

/** A file that the gateway accepts as an MP4, with unique bytes. */
function movie(seed: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes, `frames of ${seed} `);
  bytes.write("\0\0\0\x18ftypmp42\0\0\0\0mp42isom", 0, "latin1");
  return bytes;
}
