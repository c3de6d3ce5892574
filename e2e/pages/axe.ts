import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const desk = { width: 1280, height: 720 };
const phone = { width: 375, height: 812 };
const narrowest = { width: 320, height: 640 };

/** No violation in either theme at desktop and phone width, and nothing wider than the narrowest screen. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const screen of [desk, phone]) {
    await page.setViewportSize(screen);
    await expectNoViolation(page, "light", `${screen.width} px`);
    await expectNoViolation(page, "dark", `${screen.width} px`);
  }
  await page.setViewportSize(narrowest);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect.soft(overflow, `wider than ${narrowest.width} px: ${page.url()}`).toBeLessThanOrEqual(0);
  await page.setViewportSize(desk);
}

/** In its current state, in both themes. */
export async function expectAccessibleState(page: Page): Promise<void> {
  await expectNoViolation(page, "light", "as it stands");
  await expectNoViolation(page, "dark", "as it stands");
}

async function expectNoViolation(page: Page, theme: "light" | "dark", where: string): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.setAttribute("data-theme", name);
    // A link that is half below the page's bar is a small target to axe, though it can be scrolled.
    scrollTo(0, 0);
  }, theme);
  await endAnimations(page);
  const axe = await axeFor(page);
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

/** axe is a large script: it is loaded once per page, and passed rules are not described in full. */
async function axeFor(page: Page): Promise<AxeBuilder> {
  const isThere = await page.evaluate(() => "axe" in window);
  // There are no frames here, and the other mode opens a page for each run.
  return new AxeBuilder({ page, ...(isThere && { axeSource: "void 0" }) })
    .setLegacyMode()
    .options({ resultTypes: ["violations"] });
}

/** A colour in transition would be measured half-way. Elements that inherit a colour may start to change later. */
async function endAnimations(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (let round = 0; round < 10; round += 1) {
      const finite = document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
      if (finite.length === 0) return;
      for (const animation of finite) animation.finish();
    }
  });
}
