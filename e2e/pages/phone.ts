import { expect, type Locator, type Page } from "@playwright/test";

/** Minimum size for a thumb, in CSS pixels. */
const thumbPx = 44;

/** Expects that no content is wider than the screen. */
export async function expectFitsScreen(page: Page): Promise<void> {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wider, "px wider than the screen").toBeLessThanOrEqual(0);
}

/** Buttons, boxes and links of rows in `part` that are too small for a thumb. */
export function smallTargets(part: Locator): Promise<string[]> {
  const targets = part.locator(
    "button, label:has(input[type=checkbox], input[type=radio]), a[data-row-link], a.control-height, a.small-control-height",
  );
  return targets.evaluateAll(
    (elements, least) =>
      elements.flatMap((element) => {
        if (!element.checkVisibility()) return [];
        const { height, width } = element.getBoundingClientRect();
        // The touch target may extend beyond its own box: the whole row of a link, the surroundings of a
        // small button.
        const reach = getComputedStyle(element, "::after");
        const more = (name: "height" | "width") => Number.parseFloat(reach[name]) || 0;
        const hit = { height: Math.max(height, more("height")), width: Math.max(width, more("width")) };
        return hit.height < least || hit.width < least
          ? [`${element.ariaLabel ?? element.textContent} ${hit.width} × ${hit.height}`]
          : [];
      }),
    thumbPx,
  );
}
