import type { Page } from "@playwright/test";
import { openPage } from "../../e2e/pages/open-page.ts";
import { watchLongTasks } from "./long-tasks.ts";

const wheelPixels = 600;
const tiles = "[role=grid] [data-tile]";
/** After this many turns of the wheel and this time without new files, the gallery is at its end. */
const patience = { turns: 100, ms: 5_000 };

export interface GalleryWalk {
  /** Files in the gallery at its end. */
  files: number;
  /** The most tiles that were in the page at once. */
  maxTiles: number;
  /** Tasks above 50 ms, longest first. */
  longTasksMs: number[];
}

/** Scrolls the gallery from its newest file to its last with the wheel. */
export async function walkGallery(page: Page): Promise<GalleryWalk> {
  await openPage(page, "/predictions?view=gallery");
  await page.locator(tiles).first().waitFor();
  await page.mouse.move(700, 500);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  const tasks = await watchLongTasks(page);
  let maxTiles = 0;
  let moved = Date.now();
  for (let still = 0, lastTop = -1; still < patience.turns || Date.now() - moved < patience.ms; ) {
    await page.mouse.wheel(0, wheelPixels);
    const { top, count } = await page.evaluate(async (selector) => {
      await new Promise(requestAnimationFrame);
      return { top: window.scrollY, count: document.querySelectorAll(selector).length };
    }, tiles);
    maxTiles = Math.max(maxTiles, count);
    still = top === lastTop ? still + 1 : 0;
    if (still === 0) moved = Date.now();
    lastTop = top;
  }
  const files = await page.locator("[role=grid]").evaluate((grid) => {
    const rows = Number(grid.getAttribute("aria-rowcount"));
    const last = grid.querySelectorAll(`[aria-rowindex="${rows}"] [data-tile]`).length;
    return (rows - 1) * Number(grid.getAttribute("aria-colcount")) + last;
  });
  const seen = await tasks.seen();
  const longTasksMs = seen.map(({ durationMs }) => durationMs).sort((one, other) => other - one);
  return { files, maxTiles, longTasksMs };
}
