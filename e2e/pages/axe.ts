import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const phone = { width: 375, height: 812 };
const narrowest = { width: 320, height: 640 };

/** No violation in either theme, at the width of a desk and of a phone, and nothing wider than the narrowest screen. */
export async function expectAccessible(page: Page): Promise<void> {
  const desk = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const size of [desk, phone]) {
    await page.setViewportSize(size);
    await expectNoViolation(page, "light", `${size.width} px`);
    await expectNoViolation(page, "dark", `${size.width} px`);
  }
  await page.setViewportSize(narrowest);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect.soft(overflow, `wider than ${narrowest.width} px: ${page.url()}`).toBeLessThanOrEqual(0);
  await page.setViewportSize(desk);
}

/** As it stands now, in both themes. */
export async function expectAccessibleState(page: Page): Promise<void> {
  await expectNoViolation(page, "light", "as it stands");
  await expectNoViolation(page, "dark", "as it stands");
}

async function expectNoViolation(page: Page, theme: "light" | "dark", where: string): Promise<void> {
  await page.evaluate((name) => document.documentElement.setAttribute("data-theme", name), theme);
  await endAnimations(page);
  // There are no frames here, and the other mode opens a page for each run.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // Nothing but colours differs between the themes.
  const { violations } = await (theme === "light"
    ? axe.withTags(rules)
    : axe.withRules("color-contrast")
  ).analyze();
  const found = violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.map(({ html, any }) => `${html.slice(0, 200)} ${any[0]?.message ?? ""}`),
  }));
  expect.soft(found, `${page.url()}, ${theme}, ${where}`).toEqual([]);
}

/** A colour that is on its way would be measured half-way. */
async function endAnimations(page: Page): Promise<void> {
  await page.evaluate(() =>
    document.getAnimations().forEach((animation) => {
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
    }),
  );
}
