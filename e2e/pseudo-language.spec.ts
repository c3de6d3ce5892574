import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { consolePages, withIds } from "./pages/every-page.ts";

/** Pages whose texts are all messages, or marked as data. Add each page that is, until this is every page. */
const translated: string[] = [
  "editor of a new route",
  "editor: prices",
  "editor of a new model",
  "settings/connections",
  "requests/compare",
  "predictions/shared",
  "predictions/shared/reports",
  "operator/accounts/plans",
  "operator/accounts/deleted",
  "operator/reports",
  "operator/changes",
  "library",
  "conversations",
  "aliases",
];

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

for (const [device, viewport] of Object.entries(sizes))
  test(`translated pages have no text in markup, and nothing that a longer language cuts: ${device}`, async ({
    browser,
    ownerState,
    stack,
    seedData,
  }) => {
    const context = await browser.newContext({
      storageState: ownerState,
      baseURL: stack.consoleUrl,
      viewport,
      locale: "en-XA",
    });
    const page = await context.newPage();
    const faults: unknown[] = [];
    for (const { name, path } of consolePages.filter((each) => translated.includes(each.name))) {
      await page.goto(withIds(path, seedData));
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^⟦/);
      await page.waitForLoadState("networkidle");
      const { unmarked, cut, sideways } = await faultsOf(page);
      if (unmarked.length + cut.length > 0 || sideways) faults.push({ name, unmarked, cut, sideways });
    }
    expect(faults).toEqual([]);
    await context.close();
  });

/** Texts without the marks of a message, messages that are cut, and whether the page scrolls sideways. */
async function faultsOf(page: Page): Promise<{ unmarked: string[]; cut: string[]; sideways: boolean }> {
  return page.evaluate(() => {
    // Ids, codes and names, which are the same in every language, and what the formats of a language write.
    const data = "code, pre, kbd, time, script, style, [translate=no], .font-mono, .tabular, [data-name]";
    const read = ["aria-label", "alt", "placeholder", "title"];
    const isMarked = (text: string) =>
      ["", "Gatehouse"].includes(text.trim()) || !/\p{L}{2}/u.test(text) || text.includes("⟦");
    const unmarked: string[] = [];
    const cut: string[] = [];
    let depth = 0;
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (node instanceof Element) {
        if (node.matches(data)) continue;
        for (const name of read) {
          const text = node.getAttribute(name) ?? "";
          if (!isMarked(text)) unmarked.push(`${name}: ${text}`);
        }
        continue;
      }
      const text = node.nodeValue ?? "";
      const parent = node.parentElement;
      const isInside = depth > 0 || text.includes("⟦");
      depth += text.split("⟦").length - text.split("⟧").length;
      if (!parent || parent.closest(data)) continue;
      if (!isInside && !isMarked(text)) unmarked.push(text.trim());
      const box = parent.closest<HTMLElement>("button, a, h1, h2, h3, th, label, p, span");
      const isCut =
        box && box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible";
      // The search in the header becomes narrow on purpose, and text for screen readers only has no width.
      if (isCut && text.includes("⟧") && !parent.closest("header, .sr-only")) cut.push(text);
    }
    const { scrollingElement } = document;
    return { unmarked, cut, sideways: (scrollingElement?.scrollWidth ?? 0) > innerWidth };
  });
}
