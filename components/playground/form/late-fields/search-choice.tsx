"use client";

import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useWords } from "#words";
import { Input } from "@/components/ui/form/input";
import type { ControlAria } from "../field-frame.tsx";

interface SearchChoiceProps {
  aria: ControlAria;
  labels: readonly string[];
  /** Label for "no choice". Null if a choice is required. */
  unset: string | null;
  /** Label of the current value. */
  text: string | null;
  onChoose: (index: number | null) => void;
}

/** The list shows at most this many results. The user can type more to narrow them. */
const maxShown = 50;

/** Chooses one of many values. The user types a part of it. */
export function SearchChoice({ aria, labels, unset, text, onChoose }: SearchChoiceProps) {
  const t = useWords("inputForm");
  const id = useId();
  const [query, setQuery] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const open = query !== null;
  const sought = (query ?? "").trim().toLowerCase();
  const matches = labels
    .map((word, index) => ({ word, index }))
    .filter(({ word }) => word.toLowerCase().includes(sought));
  const shown = matches.slice(0, maxShown);
  const start = () => {
    setQuery("");
    setActive(0);
  };
  const choose = (index: number | null) => {
    onChoose(index);
    setQuery(null);
  };
  const go = (to: number) => {
    const next = Math.max(0, Math.min(shown.length - 1, to));
    setActive(next);
    list.current?.children[next]?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Tab" || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowDown") open ? go(active + 1) : start();
    else if (event.key === "ArrowUp") open && go(active - 1);
    else if (event.key === "Enter") {
      const match = shown[active];
      if (open && match) choose(match.index);
      else if (!open) start();
    } else if (event.key === "Escape") {
      if (!open) return;
      setQuery(null);
    } else return;
    event.preventDefault();
  };
  return (
    <div className="relative">
      <Input
        {...aria}
        role="combobox"
        aria-expanded={open}
        aria-controls={open ? `${id}-list` : undefined}
        aria-activedescendant={open && shown[active] ? `${id}-${shown[active].index}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={open ? (text ?? t("typeToSearch")) : (unset ?? t("choose"))}
        value={query ?? text ?? ""}
        onChange={(event) => {
          // The first keystroke replaces the label of the current value.
          setQuery(open || text === null ? event.target.value : event.target.value.replace(text, ""));
          setActive(0);
        }}
        onClick={() => !open && start()}
        onKeyDown={onKeyDown}
        onBlur={() => setQuery(null)}
      />
      {open && (
        <div className="absolute inset-x-0 top-full z-20 mt-1 rounded-control border border-strong bg-panel p-1 shadow-float">
          <div
            id={`${id}-list`}
            ref={list}
            role="listbox"
            aria-label={t("values")}
            className="max-h-64 overflow-y-auto"
          >
            {shown.map(({ word, index }, at) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and the keys
              <div
                key={word}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={word === text}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(index)}
                className={`cursor-pointer truncate rounded-[6px] px-2 py-1 ${at === active ? "bg-sunken" : ""} ${word === text ? "font-medium" : ""}`}
              >
                {word}
              </div>
            ))}
          </div>
          <p role="status" className="px-2 py-1 text-meta text-muted">
            {matches.length === 0
              ? t("noValueMatches")
              : matches.length > shown.length
                ? t("shownOfMatchesShownType", { shown: shown.length, matches: matches.length })
                : t("matchesOfLabelsValues", { matches: matches.length, labels: labels.length })}
          </p>
          {unset && text !== null && (
            <button
              type="button"
              tabIndex={-1}
              className="px-2 pb-1 text-meta underline"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(null)}
            >
              {t("useName", { name: unset.toLowerCase() })}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
