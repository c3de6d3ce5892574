import type { Page } from "@playwright/test";
import { openPage } from "../../e2e/pages/open-page.ts";

const openings = 12;

/** Times of Ctrl K in ms, from the key to the frame that shows the focused field above its entries. */
export interface Openings {
  /** On a page that was just loaded and has become idle. */
  first: number[];
  /** On the same page, after Esc. */
  later: number[];
}

/** Opens Ctrl K twice on a page, which is loaded anew each time. Every time, a typed letter must appear. */
export async function openPalette(page: Page, path: string): Promise<Openings> {
  const times: Openings = { first: [], later: [] };
  for (let opening = 0; opening < openings; opening += 1) {
    await openPage(page, path);
    times.first.push(await pressCtrlK(page));
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.querySelector("dialog[open]") === null);
    times.later.push(await pressCtrlK(page));
  }
  return times;
}

async function pressCtrlK(page: Page): Promise<number> {
  await page.evaluate(() => {
    Object.assign(window, { shownAfterMs: undefined });
    const onKey = ({ key, timeStamp }: KeyboardEvent) => {
      if (key !== "k") return;
      window.removeEventListener("keydown", onKey, true);
      const look = () => {
        const field = document.querySelector("dialog[open] [role=combobox]");
        const hasEntries = document.querySelector("dialog[open] [role=option]") !== null;
        const isShown = field !== null && field === document.activeElement && hasEntries;
        const note = () => Object.assign(window, { shownAfterMs: performance.now() - timeStamp });
        // A task that is queued before a frame is painted runs after it.
        if (isShown) setTimeout(note);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    window.addEventListener("keydown", onKey, true);
  });
  await page.keyboard.press("Control+k");
  const shown = await page.waitForFunction(() => (window as never as { shownAfterMs?: number }).shownAfterMs);
  const ms = (await shown.jsonValue()) as number;
  await page.keyboard.press("p");
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>("dialog[open] [role=combobox]")?.value === "p",
  );
  return ms;
}
