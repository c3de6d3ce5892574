import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";

const program = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Everything except contrast is the same in both themes. */
const fullRun = {
  runOnly: { type: "tag", values: rules },
  rules: { "color-contrast": { enabled: false } },
  // Passed rules are not described in full.
  resultTypes: ["violations"],
} satisfies axe.RunOptions;
const contrastRun = {
  runOnly: { type: "rule", values: ["color-contrast"] },
  elementRef: true,
  resultTypes: ["violations", "passes"],
} satisfies axe.RunOptions;
const themes = ["light", "dark"] as const;
/**
 * Styles of text that axe has passed on any page. Measuring contrast is most of its work, and thousands of
 * texts share a few hundred styles: colour, size, weight, and the backgrounds and opacities around them.
 */
const passedLooks = new Set<string>();
export const desk = { width: 1280, height: 720 };
export const phone = { width: 375, height: 812 };
const narrowest = { width: 320, height: 640 };

/**
 * Expects no violations in either theme at desktop and phone width, or on these screens only, and nothing wider
 * than the narrowest screen.
 */
export async function expectAccessible(page: Page, screens = [desk, phone]): Promise<void> {
  for (const screen of screens) {
    await page.setViewportSize(screen);
    await expectNoViolation(page, `${screen.width} px`);
  }
  await page.setViewportSize(narrowest);
  // A gallery gets its new rows by script.
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await expect
    .configure({ soft: true })
    .poll(overflow, { message: `wider than ${narrowest.width} px: ${page.url()}`, timeout: 5_000 })
    .toBeLessThanOrEqual(0);
  await page.setViewportSize(desk);
}

/** Checks the current state, in both themes. */
export async function expectAccessibleState(page: Page): Promise<void> {
  await expectNoViolation(page, "as it stands");
}

/** Checks both themes without a pause, in which the browser would repaint the page. */
async function expectNoViolation(page: Page, where: string): Promise<void> {
  // Until the page has its heading, the section's loading state is shown.
  await expect(page.locator("h1").first(), `the heading of ${page.url()}`).toBeAttached();
  // While one page replaces another, the title comes after the content.
  await expect(page).toHaveTitle(/./);
  // axe is a large script, so it is loaded once per page.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(program);
  const settings = { fullRun, contrastRun, themes, passed: [...passedLooks] };
  const { found, looks } = await page.evaluate(violationsOfPage, settings);
  for (const look of looks) passedLooks.add(look);
  expect.soft(found, `${page.url()}, ${where}`).toEqual([]);
}

interface Settings {
  fullRun: axe.RunOptions;
  contrastRun: axe.RunOptions;
  themes: typeof themes;
  passed: string[];
}

/** Runs in the page. Returns axe's violations, and the styles of text that it passed. */
async function violationsOfPage({ fullRun, contrastRun, themes, passed }: Settings) {
  const { axe } = window as unknown as { axe: typeof import("axe-core") };
  const known = new Set(passed);
  const found: { theme: string; id: string; help: string; nodes: string[] }[] = [];
  // Nothing behind an open dialog can be reached, so each page is checked without one.
  const part = [...document.querySelectorAll(":modal")].at(-1) ?? document;

  /**
   * A colour in transition would be measured half-way. Elements that inherit a colour may start to change
   * later.
   */
  const endAnimations = (): void => {
    for (let round = 0; round < 10; round += 1) {
      const finite = document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
      if (finite.length === 0) return;
      for (const animation of finite) animation.finish();
    }
  };
  const report = (theme: string, violations: axe.Result[]): void => {
    for (const { id, help, nodes } of violations) {
      const described = nodes.map(({ html, any }) => `${html.slice(0, 200)} ${any[0]?.message ?? ""}`);
      found.push({ theme, id, help, nodes: described });
    }
  };
  /**
   * The visible texts with unknown styles. If another element may be behind a text, the text's style is null.
   */
  const unknownTexts = (): Map<Element, string | null> => {
    const grounds = new Map<Element, { look: string; isKnown: boolean }>();
    const groundOf = (element: Element | null): { look: string; isKnown: boolean } => {
      if (!element) return { look: "", isKnown: true };
      const kept = grounds.get(element);
      if (kept) return kept;
      const style = getComputedStyle(element);
      const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } = style;
      const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode, style.textShadow].join();
      const isPlain = own === "rgba(0, 0, 0, 0),none,1,none,normal,none";
      const isOpaque = !/^rgba|\//.test(backgroundColor);
      const around = groundOf(element.parentElement);
      const isKnown = isOpaque || (around.isKnown && position !== "absolute" && position !== "fixed");
      const ground = { look: isPlain ? around.look : `${around.look} ${own}`, isKnown };
      grounds.set(element, ground);
      return ground;
    };
    const texts = new Set<Element>(part.querySelectorAll("input, select, textarea"));
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { textContent, parentElement } = walker.currentNode;
      if (parentElement && textContent?.trim()) texts.add(parentElement);
    }
    const unknown = new Map<Element, string | null>();
    for (const text of texts) {
      if (!text.checkVisibility()) continue;
      const ground = groundOf(text);
      const { color, fontSize, fontWeight } = getComputedStyle(text);
      const look = `${color} ${fontSize} ${fontWeight}${ground.look}`;
      if (!ground.isKnown) unknown.set(text, null);
      else if (!known.has(look)) unknown.set(text, look);
    }
    return unknown;
  };

  const measure = async (theme: string, texts: Set<Element>, looksOf: Map<Element, string | null>) => {
    if (texts.size === 0) return;
    const { violations, passes } = await axe.run({ include: [...texts] }, contrastRun);
    report(theme, violations);
    for (const { element } of passes.flatMap(({ nodes }) => nodes)) {
      const look = element && looksOf.get(element);
      if (look) known.add(look);
    }
  };

  for (const theme of themes) {
    document.documentElement.setAttribute("data-theme", theme);
    // For axe, a link that is half covered by the page's bar is a small target, although the page scrolls.
    scrollTo(0, 0);
    endAnimations();
    if (theme === "light") report(theme, (await axe.run(part, fullRun)).violations);
    const unknown = unknownTexts();
    // First one text of each style, then the others of each style that axe did not pass.
    const first = new Map([...unknown].map(([text, look]) => [look ?? text, text]));
    await measure(theme, new Set(first.values()), unknown);
    const others = [...unknown].filter(([text, look]) => first.get(look ?? text) !== text);
    const left = others.filter(([, look]) => look === null || !known.has(look));
    await measure(theme, new Set(left.map(([text]) => text)), unknown);
  }
  return { found, looks: [...known] };
}
