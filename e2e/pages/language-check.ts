import type { Page } from "@playwright/test";
import { languages } from "../../messages/languages.ts";
import { ownersTexts } from "../seed-data.ts";

/** Texts that are the same in every language: names of programs, and what the seed calls its own things. */
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
  ...["owner", "Herons", "Herons compared", "Archive", "archive", "gallery", ...ownersTexts],
];

/** A dialog or a menu. */
const opened = "dialog[open], [role=menu]";

const clickable = { page: "main button", menu: "[role=menu] [role=menuitem]" } as const;

/**
 * Of the page, or of the dialog or menu that is open: texts without the marks of a message, messages that are cut, and
 * whether it scrolls sideways.
 */
export async function faultsOf(
  page: Page,
  part: "page" | "opened" = "page",
): Promise<{ unmarked: string[]; cut: string[]; sideways: boolean }> {
  return page.evaluate(
    ({ names, part, opened }) => {
      const root =
        part === "page"
          ? document.body
          : [...document.querySelectorAll<HTMLElement>(opened)]
              .filter((each) => each.checkVisibility())
              .at(-1);
      if (!root) return { unmarked: [], cut: [], sideways: false };
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
        text.includes("⟦") ||
        isName(text.trim()) ||
        // One or a list of them.
        text
          .trim()
          .split(/, | ·(?: |$)/)
          .every((part) => !/\p{L}{2}/u.test(part) || isCode(part) || isFormatted(part));
      const unmarked: string[] = [];
      const cut: string[] = [];
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
      const width =
        part === "page" ? (scrollingElement?.scrollWidth ?? 0) : root.getBoundingClientRect().right;
      return { unmarked, cut, sideways: width > innerWidth };
    },
    { names, part, opened },
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
