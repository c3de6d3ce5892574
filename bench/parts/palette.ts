import type { Page } from "@playwright/test";
import { openPage } from "../../e2e/pages/open-page.ts";

const name = "Search or go to";
const openings = 10;

/**
 * Opens Ctrl K for the first time on freshly loaded pages. Each time in ms: from the key to the frame that
 * shows the focused field with its first results.
 */
export async function openPalette(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let opening = 0; opening < openings; opening += 1) {
    await openPage(page, "/");
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => {
      const shown = Promise.withResolvers<number>();
      Object.assign(window, { paletteShown: shown.promise });
      const onKey = () => {
        const startedAt = performance.now();
        const look = () => {
          const isReady =
            document.activeElement?.getAttribute("role") === "combobox" &&
            document.querySelector("[role=dialog] [role=option]") !== null;
          requestAnimationFrame(
            isReady ? () => setTimeout(() => shown.resolve(performance.now() - startedAt)) : look,
          );
        };
        look();
      };
      window.addEventListener("keydown", onKey, { capture: true, once: true });
    });
    await page.keyboard.press("Control+k");
    times.push(
      await page.evaluate(() => (window as never as { paletteShown: Promise<number> }).paletteShown),
    );
    await page.getByRole("combobox", { name }).press("Escape");
  }
  return times;
}
