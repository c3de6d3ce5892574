import type { Page } from "@playwright/test";
import { languages } from "../messages/languages.ts";
import { expect, test } from "./fixtures.ts";
import { GatewayApi } from "./gateway-api.ts";
import { consolePages, withIds } from "./pages/every-page.ts";
import { signIn } from "./pages/sign-in.ts";
import { ownersTexts, seed } from "./seed-data.ts";
import { startStack } from "./stack.ts";

/** Texts that are the same in every language: names of programs, and what the seed calls its own things. */
const names = [
  ...["Gatehouse", "CSV", "URL", "Shell", "curl", "Node", "Node.js", "Node (stripe)", "Python", "Go", "PHP"],
  ...["GitHub Actions", "GitLab", "Kubernetes", "sandbox", "embeddings", "rerank"],
  ...["UTC", "OpenAPI 3.1", "Ctrl ↵", ...Object.values(languages)],
  ...["owner", "Herons", "Herons compared", "Archive", ...ownersTexts],
];

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

// With an installation of its own, so that no other test's names are on the pages.
test("pages have no text in markup, and nothing that a longer language cuts", async ({ browser }) => {
  const { stack, stop } = await startStack();
  try {
    const seedData = await seed(await GatewayApi.signIn(stack), stack);
    const signedIn = await browser.newContext();
    await signIn(await signedIn.newPage(), stack);
    const context = await browser.newContext({
      storageState: await signedIn.storageState(),
      baseURL: stack.consoleUrl,
      locale: "en-XA",
    });
    const page = await context.newPage();
    const faults: unknown[] = [];
    const look = async (on: Page, name: string) => {
      for (const [size, viewport] of Object.entries(sizes)) {
        await on.setViewportSize(viewport);
        const { unmarked, cut, sideways } = await faultsOf(on);
        if (unmarked.length + cut.length > 0 || sideways)
          faults.push({ name, size, unmarked, cut, sideways });
      }
    };
    const open = async (on: Page, path: string) => {
      await on.setViewportSize(sizes.desktop);
      await on.goto(path);
      await expect(on.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(on.getByRole("main")).toContainText("⟦");
      await on.waitForLoadState("networkidle");
    };
    for (const { name, path } of consolePages) {
      await open(page, withIds(path, seedData));
      await look(page, name);
    }
    expect(faults).toEqual([]);
    await Promise.all([signedIn, context].map((each) => each.close()));
  } finally {
    await stop();
  }
});

/** Texts without the marks of a message, messages that are cut, and whether the page scrolls sideways. */
async function faultsOf(page: Page): Promise<{ unmarked: string[]; cut: string[]; sideways: boolean }> {
  return page.evaluate((names) => {
    // Ids, codes and names, which are the same in every language, and what the formats of a language write.
    const data =
      "code, pre, kbd, time, script, style, textarea, [translate=no], [lang]:not(html, main), .font-mono, .tabular, [data-name]";
    const read = ["aria-label", "alt", "placeholder", "title"];
    // The seed numbers what it makes twice.
    const isName = (text: string) => names.includes(text.replace(/ (?:· .*|\d+)$/, ""));
    // Ids, addresses and codes such as `svc/chat-1`, `prediction.succeeded` and `image-editing`.
    const isCode = (text: string) => /^\S*[/_:.@…\d]\S*$|^[a-z]+(?:-[a-z]+)+$/.test(text);
    // A month, a time, a duration or a size.
    const isFormatted = (text: string) =>
      /^(?:\d+ )?[A-Z][a-z]+ \d{4}$|^[\d:]+ UTC$|^[\d.,]+ (?:ms|s|m|h|d|B|[kMGT]B)$/.test(text);
    const isMarked = (text: string) =>
      text.includes("⟦") ||
      isName(text.trim()) ||
      // One or a list of them.
      text
        .trim()
        .split(/, | · /)
        .every((part) => !/\p{L}{2}/u.test(part) || isCode(part) || isFormatted(part));
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
      // The head of a table that is a list on a phone is for screen readers only, one pixel wide.
      const isCut =
        box &&
        box.clientWidth > 1 &&
        box.scrollWidth > box.clientWidth + 1 &&
        getComputedStyle(box).overflowX !== "visible";
      // The search in the header becomes narrow on purpose, and text for screen readers only has no width.
      if (isCut && text.includes("⟧") && !parent.closest("header, .sr-only")) cut.push(text);
    }
    const { scrollingElement } = document;
    return { unmarked, cut, sideways: (scrollingElement?.scrollWidth ?? 0) > innerWidth };
  }, names);
}
