"use client";

import { type RefObject, useDeferredValue, useMemo } from "react";
import type { CatalogOperation } from "#contract/catalog.ts";
import { Button } from "@/components/ui/button";
import type { Draft } from "@/lib/schema-form/draft";
import { keyPlaces } from "@/lib/schema-form/key-offsets";
import type { FormPlan } from "@/lib/schema-form/plan";
import { unknownKeys } from "@/lib/schema-form/unknown-keys";

interface MisspeltKeysProps {
  draft: Draft;
  operation: CatalogOperation;
  plan: FormPlan;
  /** The text that is edited. */
  box: RefObject<HTMLTextAreaElement | null>;
}

/** Keys that are probably misspelt, each with its fix; the browser's undo takes a fix back. */
export function MisspeltKeys({ box, draft, operation, plan }: MisspeltKeysProps) {
  // A large draft is read while nothing is typed.
  const { text, value } = useDeferredValue(draft);
  const found = useMemo(() => {
    const keys = value ? unknownKeys(value, operation, plan) : [];
    const places =
      keys.length === 0
        ? []
        : keyPlaces(
            text,
            keys.map(({ path }) => path),
          );
    return keys.flatMap((key, at) => (places[at] ? [{ ...key, ...places[at] }] : []));
  }, [text, value, operation, plan]);
  if (found.length === 0) return null;
  const select = (start: number, end: number) => {
    box.current?.focus();
    box.current?.setSelectionRange(start, end);
  };
  return (
    <ul
      aria-label="Unknown keys"
      className="rounded-panel border border-warn bg-warn-soft px-3 py-1.5 text-table"
    >
      {found.map(({ path, meant, start, end }) => (
        <li key={path.join("/")} className="flex flex-wrap items-center gap-x-2 py-0.5">
          <button type="button" className="underline" onClick={() => select(start, end)}>
            Line {text.slice(0, start).split("\n").length}
          </button>
          <code>{String(path.at(-1))}</code>
          {meant === null ? (
            "is unknown here."
          ) : (
            <Button
              size="sm"
              disabled={text !== draft.text}
              onClick={() => {
                select(start, end);
                document.execCommand("insertText", false, JSON.stringify(meant));
              }}
            >
              Change to {meant}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
