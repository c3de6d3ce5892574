import { expect, type Locator, type Page } from "@playwright/test";

/** Opens a page and waits until it is hydrated, because an earlier key press would be lost. */
export async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await isAlive(page);
}

/**
 * Waits until the page's parts are in place, React controls its heading and the browser is idle, because key
 * listeners are attached last.
 */
export async function isAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const heading = document.querySelector("main h1");
    // Streamed parts arrive hidden at the end of the page, and are then moved to their place.
    const isStreaming = document.querySelector("body > div[hidden][id^='S:']") !== null;
    return (
      !isStreaming && heading !== null && Object.keys(heading).some((name) => name.startsWith("__reactFiber"))
    );
  });
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })));
}

/**
 * Pages opened from now on do not notice when their session ends, because an open stream would keep the
 * network busy. A route would also do this, but then the browser would not cache files.
 */
export async function withoutSessionStream(page: Page): Promise<void> {
  await page.addInitScript(() => {
    class Silent extends EventTarget {
      static readonly CLOSED = 2;
      readonly readyState = 1;
      close(): void {}
    }
    Object.assign(window, { EventSource: Silent });
  });
}

/** Scrolls to a part far down a page, which loads when it comes into view. */
export async function scrollTo(page: Page, part: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press("End");
    await expect(part).toBeInViewport({ timeout: 1_000 });
  }).toPass();
}
