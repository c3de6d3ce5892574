import { expect, type Locator } from "@playwright/test";

/** Plays the start of a video or sound, until its time advances. */
export async function expectToPlay(media: Locator): Promise<void> {
  await expect(media).toBeVisible();
  await media.evaluate((element: HTMLMediaElement) => {
    element.muted = true;
    return element.play();
  });
  await expect
    .poll(() => media.evaluate((element: HTMLMediaElement) => element.currentTime), { timeout: 20_000 })
    .toBeGreaterThan(0.2);
  expect(await media.evaluate((element: HTMLMediaElement) => element.readyState)).toBeGreaterThanOrEqual(2);
}
