"use client";

import { useSyncExternalStore } from "react";
import { useWords } from "#words";
import { CodeColours } from "./code-colours.tsx";
import { CopyButton } from "./copy-button.tsx";

interface CodeTab {
  label: string;
  language: string;
  code: string;
  /** The text to copy, if it differs from the visible text. */
  copied?: string;
}

interface CodeBlockProps {
  code?: string;
  language?: string;
  /** The same code in several languages. The reader's choice is stored. */
  tabs?: readonly CodeTab[];
  /** Names the block for screen readers. */
  label?: string;
  wrap?: boolean;
}

const rememberedKey = "gatehouse-code-language";
/** Notifies the page's other code blocks of a choice. `storage` events notify other tabs. */
const languageEvent = "gatehouse:code-language";

/** Code to copy, with tabs for languages. The last chosen language is open. */
export function CodeBlock({ code = "", language = "text", tabs, label, wrap }: CodeBlockProps) {
  const t = useWords("ui");
  const chosen = useSyncExternalStore(
    watchLanguage,
    () => localStorage.getItem(rememberedKey),
    () => null,
  );
  const shown = tabs?.find((tab) => tab.language === chosen) ??
    tabs?.[0] ?? { label: language, language, code, copied: code };
  const choose = (next: string) => {
    localStorage.setItem(rememberedKey, next);
    window.dispatchEvent(new Event(languageEvent));
  };

  return (
    <figure
      aria-label={label ?? t("code")}
      className="min-w-0 overflow-hidden rounded-panel border bg-sunken"
    >
      <div className="flex items-center gap-1 border-b px-1.5 py-1">
        <div className="flex min-w-0 flex-1 gap-0.5 overflow-x-auto">
          {tabs ? (
            tabs.map((tab) => (
              <button
                key={tab.language}
                type="button"
                aria-pressed={tab.language === shown.language}
                onClick={() => choose(tab.language)}
                className="min-h-7 shrink-0 pointer-coarse:min-h-11 pointer-coarse:min-w-11 rounded-[6px] px-2 text-table font-medium text-muted hover:text-ink focus-visible:-outline-offset-2! aria-pressed:bg-panel aria-pressed:text-ink"
              >
                {tab.label}
              </button>
            ))
          ) : (
            <span translate="no" className="px-1.5 text-meta text-muted">
              {shown.label}
            </span>
          )}
        </div>
        <CopyButton value={shown.copied ?? shown.code} label={t("copyCode")} />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        translate="no"
        className="max-h-[60vh] overflow-auto p-3 text-table leading-5 focus-visible:-outline-offset-2!"
      >
        <code className={wrap ? "whitespace-pre-wrap wrap-anywhere" : undefined}>
          <CodeColours code={shown.code} language={shown.language} />
        </code>
      </pre>
    </figure>
  );
}

function watchLanguage(onChange: () => void): () => void {
  for (const name of [languageEvent, "storage"]) window.addEventListener(name, onChange);
  return () => {
    for (const name of [languageEvent, "storage"]) window.removeEventListener(name, onChange);
  };
}
