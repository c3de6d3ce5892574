import type { Page } from "@playwright/test";
import { compiledPart } from "../../messages/compile.ts";
import { type Language, languages } from "../../messages/languages.ts";
import { type Part, type Words, wordsOf } from "../../messages/words.ts";

/** Texts that are the same in every language: names of programs, and values of the API. */
const names = [
  ...["Gatehouse", "CSV", "URL", "Shell", "curl", "Node", "Node.js", "Node (stripe)", "Python", "Go", "PHP"],
  ...[
    "GitHub Actions",
    "GitLab",
    "Kubernetes",
    "Slack",
    "Discord",
    "Microsoft Teams",
    "sandbox",
    "embeddings",
    "rerank",
  ],
  ...["UTC", "OpenAPI 3.1", "Ctrl ↵", ...Object.values(languages)],
];

/** A language whose messages differ from the English ones. */
export type CheckedLanguage = "en-XA" | "zh-CN";

/** What the messages of each have, and nothing else. */
const marks: Record<CheckedLanguage, string> = {
  "en-XA": "[⟦⟧]",
  "zh-CN": String.raw`[\p{Script=Han}，。：；（）]`,
};

/** The words of a part, as the console says them in this language. */
export function wordsIn<Of extends Part>(language: CheckedLanguage | Language, part: Of): Words<Of> {
  return wordsOf(compiledPart(language, part), language === "en-XA" ? "en" : language, "UTC");
}

/** Lines of a text may touch by less than this. */
const overlapPx = 4;

const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
type Size = keyof typeof sizes;

/** Looks at pages, dialogs and menus at the width of a desktop and of a phone, and collects their faults. */
export class LanguageCheck {
  readonly faults: object[] = [];
  readonly #page: Page;
  readonly #language: CheckedLanguage;
  readonly #ownTexts: readonly string[];

  /** `ownTexts` are those that the test or an example wrote. */
  constructor(page: Page, language: CheckedLanguage, ownTexts: readonly string[]) {
    this.#page = page;
    this.#language = language;
    this.#ownTexts = ownTexts;
  }

  /** Afterwards, the page is as wide as on a desktop. */
  async look(name: string, part?: "dialog" | "menu"): Promise<void> {
    for (const [size, viewport] of Object.entries(sizes) as [Size, typeof sizes.desktop][]) {
      // An open menu keeps its place when the window changes.
      if (part === "menu" && size === "phone") continue;
      await this.#page.setViewportSize(viewport);
      const found = await faultsOf(this.#page, part && "opened", this.#language, this.#ownTexts);
      const { unmarked, cut, overlapping, sideways } = found;
      if (unmarked.length + cut.length + overlapping.length > 0 || sideways)
        this.faults.push({ name, size, ...found });
    }
    await this.#page.setViewportSize(sizes.desktop);
  }
}

/** A dialog or a menu. */
const opened = "dialog[open], [role=menu]";

const clickable = { page: "main button", menu: "[role=menu] [role=menuitem]" } as const;

/**
 * Of the page, or of the dialog or menu that is open: texts that no message of the language says, messages that are
 * cut or lie on one another, and whether it scrolls sideways.
 */
async function faultsOf(
  page: Page,
  part: "page" | "opened" = "page",
  language: CheckedLanguage,
  ownTexts: readonly string[],
): Promise<{ unmarked: string[]; cut: string[]; overlapping: string[]; sideways: boolean }> {
  return page.evaluate(
    ({ names, part, opened, mark, overlapPx }) => {
      const marks = new RegExp(mark, "u");
      const root =
        part === "page"
          ? document.body
          : [...document.querySelectorAll<HTMLElement>(opened)]
              .filter((each) => each.checkVisibility())
              .at(-1);
      if (!root) return { unmarked: [], cut: [], overlapping: [], sideways: false };
      // Ids, codes and names, which are the same in every language, and what the formats of a language write.
      const data =
        "code, pre, kbd, time, script, style, textarea, [translate=no], [lang]:not(html, main), .font-mono, .tabular, [data-name]";
      const read = ["aria-label", "alt", "placeholder", "title"];
      // The seed numbers what it makes twice.
      const isName = (text: string) => names.includes(text.replace(/ (?:· .*|\d+)$/, ""));
      // A parameter with its value, and ids, addresses and codes such as `svc/chat-1`, `prediction.succeeded` and `image-editing`.
      const isCode = (text: string) => /^\S*[/_:.@…\d]\S*$|^[a-z_]+: [\d.]+$|^[a-z]+(?:-[a-z]+)+$/.test(text);
      // A day, a month, a time, an amount, a duration or a size.
      const isFormatted = (text: string) =>
        /^(?:\d+ )?[A-Z][a-z]+ \d{4}$|^\d+ [A-Z][a-z]+$|^[\d.,]+ [A-Z]{3}$|^[\d:]+ UTC$|^[\d.,]+ (?:ms|s|m|h|d|B|[kMGT]B)$/.test(
          text,
        );
      const isMarked = (text: string) =>
        marks.test(text) ||
        isName(text.trim()) ||
        // One or a list of them.
        text
          .trim()
          .split(/, | ·(?: |$)/)
          .every((part) => !/\p{L}{2}/u.test(part) || isCode(part) || isFormatted(part));
      const unmarked: string[] = [];
      const cut: string[] = [];
      /** Where each message is written, and what it moves with when the page scrolls. */
      const written: { text: Text; at: DOMRect; layer: Element | null }[] = [];
      const isClipped = (element: Element) => getComputedStyle(element).overflow !== "visible";
      const layerOf = (element: Element | null): Element | null =>
        !element || /fixed|sticky/.test(getComputedStyle(element).position)
          ? element
          : layerOf(element.parentElement);
      const addPlaces = (text: Text, parent: Element) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const at of range.getClientRects()) {
          let [left, top, right, bottom] = [at.left, at.top, at.right, at.bottom];
          for (let box: Element | null = parent; box; box = box.parentElement) {
            if (!isClipped(box)) continue;
            const clip = box.getBoundingClientRect();
            [left, top] = [Math.max(left, clip.left), Math.max(top, clip.top)];
            [right, bottom] = [Math.min(right, clip.right), Math.min(bottom, clip.bottom)];
          }
          if (right > left && bottom > top)
            written.push({
              text,
              at: new DOMRect(left, top, right - left, bottom - top),
              layer: layerOf(parent),
            });
        }
      };
      let depth = 0;
      const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
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
        const isInside = depth > 0 || marks.test(text);
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
        if (isCut && marks.test(text) && !parent.closest("header, .sr-only")) cut.push(text);
        if (isInside && parent.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
          addPlaces(node as Text, parent);
      }
      const overlapping = written.flatMap((one, index) =>
        written
          .slice(index + 1)
          .filter(
            ({ text, at, layer }) =>
              text !== one.text &&
              layer === one.layer &&
              Math.min(at.right, one.at.right) - Math.max(at.left, one.at.left) > overlapPx &&
              Math.min(at.bottom, one.at.bottom) - Math.max(at.top, one.at.top) > overlapPx,
          )
          .map(({ text }) => `${one.text.data} | ${text.data}`),
      );
      const { scrollingElement } = document;
      const width =
        part === "page" ? (scrollingElement?.scrollWidth ?? 0) : root.getBoundingClientRect().right;
      return { unmarked, cut, overlapping, sideways: width > innerWidth };
    },
    { names: [...names, ...ownTexts], part, opened, mark: marks[language], overlapPx },
  );
}

/** What can be clicked: the places and names of a page's buttons, or of the items of the menu that is open. */
export function buttonsOf(
  page: Page,
  part: keyof typeof clickable,
): Promise<{ at: number; label: string }[]> {
  return page.locator(clickable[part]).evaluateAll((all) =>
    all.flatMap((button, at) => {
      const label = (button.ariaLabel ?? button.textContent ?? "").trim();
      const canBeClicked =
        button.checkVisibility() && !button.matches(":disabled, [aria-disabled=true], [type=submit]");
      return canBeClicked ? [{ at, label }] : [];
    }),
  );
}

/** Clicks one of them. Returns what is open once nothing is loading any more. */
export async function clickButton(
  page: Page,
  part: keyof typeof clickable,
  at: number,
): Promise<"dialog" | "menu" | null> {
  return page.evaluate(
    async ({ selector, at, opened }) => {
      const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      document.querySelectorAll<HTMLElement>(selector)[at]?.click();
      do await painted();
      while (document.querySelector("main [aria-busy=true]"));
      await painted();
      const visible = [...document.querySelectorAll<HTMLElement>(opened)].filter((each) =>
        each.checkVisibility(),
      );
      const last = visible.at(-1);
      return last ? (last.matches("dialog") ? "dialog" : "menu") : null;
    },
    { selector: clickable[part], at, opened },
  );
}
