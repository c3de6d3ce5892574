import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

const program = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Nothing but colours differs between the themes. */
const looks: { theme: "light" | "dark"; runOnly: axe.RunOnly }[] = [
  { theme: "light", runOnly: { type: "tag", values: rules } },
  { theme: "dark", runOnly: { type: "rule", values: ["color-contrast"] } },
];
const desk = { width: 1280, height: 720 };
const phone = { width: 375, height: 812 };
const narrowest = { width: 320, height: 640 };

/** No violation in either theme at desktop and phone width, and nothing wider than the narrowest screen. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const screen of [desk, phone]) {
    await page.setViewportSize(screen);
    await expectNoViolation(page, `${screen.width} px`);
  }
  await page.setViewportSize(narrowest);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect.soft(overflow, `wider than ${narrowest.width} px: ${page.url()}`).toBeLessThanOrEqual(0);
  await page.setViewportSize(desk);
}

/** In its current state, in both themes. */
export async function expectAccessibleState(page: Page): Promise<void> {
  await expectNoViolation(page, "as it stands");
}

/** Both themes without a pause between them, in which the browser would draw the page. */
async function expectNoViolation(page: Page, where: string): Promise<void> {
  // Until the page has its heading, its section's loading state is shown.
  await expect(page.locator("h1").first(), `the heading of ${page.url()}`).toBeAttached();
  // A large script: it is loaded once per page.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(program);
  const found = await page.evaluate(async (looks) => {
    /** A colour in transition would be measured half-way. Elements that inherit a colour may start to change later. */
    const endAnimations = (): void => {
      for (let round = 0; round < 10; round += 1) {
        const finite = document
          .getAnimations()
          .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
        if (finite.length === 0) return;
        for (const animation of finite) animation.finish();
      }
    };
    const found: { theme: string; id: string; help: string; nodes: string[] }[] = [];
    for (const { theme, runOnly } of looks) {
      document.documentElement.setAttribute("data-theme", theme);
      // A link that is half below the page's bar is a small target to axe, though it can be scrolled.
      scrollTo(0, 0);
      endAnimations();
      // Nobody reaches what is behind an open dialog: each page is checked without one.
      const part = [...document.querySelectorAll(":modal")].at(-1) ?? document;
      // Passed rules are not described in full.
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(part, {
        runOnly,
        resultTypes: ["violations"],
      });
      for (const { id, help, nodes } of violations) {
        const described = nodes.map(({ html, any }) => `${html.slice(0, 200)} ${any[0]?.message ?? ""}`);
        found.push({ theme, id, help, nodes: described });
      }
    }
    return found;
  }, looks);
  for (const { theme } of looks) {
    const own = found.filter((one) => one.theme === theme);
    expect.soft(own, `${page.url()}, ${theme}, ${where}`).toEqual([]);
  }
}
