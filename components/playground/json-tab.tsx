"use client";

import { type KeyboardEvent, type RefObject, useMemo, useRef } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Textarea } from "@/components/ui/form/input";
import type { Draft } from "@/lib/schema-form/draft";
import type { JsonObject } from "@/lib/schema-form/json";
import { findJsonFault } from "@/lib/schema-form/json-fault";
import type { FormPlan } from "@/lib/schema-form/plan";
import { placeOfKey, renamed, type UnknownKey, unknownKeys } from "@/lib/schema-form/unknown-keys";

interface JsonTabProps {
  draft: Draft;
  plan: FormPlan;
  disabled: boolean;
  onText: (text: string) => void;
}

/** The draft as text. The Tab key leaves the field, as in every other field. */
export function JsonTab({ draft, plan, disabled, onText }: JsonTabProps) {
  const t = useWords("playground");
  const faults = useWords("jsonFault");
  const box = useRef<HTMLTextAreaElement>(null);
  const { text, value } = draft;
  const problem = useMemo(() => (value === null ? findJsonFault(text, faults) : null), [text, value, faults]);
  const unknown = useMemo(() => (value === null ? [] : unknownKeys(value, plan)), [value, plan]);
  const before = problem ? text.slice(0, problem.offset).split("\n") : [];
  const goToProblem = () => {
    if (!problem || !box.current) return;
    box.current.focus();
    box.current.setSelectionRange(problem.offset, problem.offset + 1);
  };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor="draft-json" className="mr-auto text-table font-medium">
          {t("requestBody")}
        </label>
        <Button
          size="sm"
          variant="ghost"
          disabled={value === null || disabled}
          onClick={() => value && onText(JSON.stringify(value, null, 2))}
        >
          {t("format")}
        </Button>
      </div>
      <Textarea
        ref={box}
        id="draft-json"
        value={draft.text}
        disabled={disabled}
        spellCheck={false}
        wrap="off"
        rows={Math.min(32, Math.max(14, draft.text.split("\n").length + 1))}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? "draft-json-problem" : "draft-json-hint"}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={indentNewLine}
        className="resize-y font-mono text-table"
      />
      {problem ? (
        <p id="draft-json-problem" role="alert" className="text-table font-medium text-bad">
          {problem.message}{" "}
          <button type="button" className="underline" onClick={goToProblem}>
            {t("lineAndColumn", { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 })}
          </button>
        </p>
      ) : (
        <>
          {unknown.length > 0 && value && (
            <UnknownKeys keys={unknown} value={value} box={box} disabled={disabled} onText={onText} />
          )}
          <p id="draft-json-hint" className="text-meta text-muted">
            {t("theFormAndTheCode")}
          </p>
        </>
      )}
    </div>
  );
}

interface UnknownKeysProps {
  keys: readonly UnknownKey[];
  value: JsonObject;
  /** The text field with the JSON. */
  box: RefObject<HTMLTextAreaElement | null>;
  disabled: boolean;
  onText: (text: string) => void;
}

/** Keys that the operation does not have, each with the key that was probably meant. */
function UnknownKeys({ keys, value, box, disabled, onText }: UnknownKeysProps) {
  const t = useWords("playground");
  const rename = ({ segments, key }: UnknownKey, to: string) => {
    const text = box.current?.value ?? "";
    const place = placeOfKey(text, key);
    if (!place || !box.current) return onText(JSON.stringify(renamed(value, segments, key, to), null, 2));
    box.current.focus();
    box.current.setSelectionRange(place.start, place.end);
    // This command is deprecated, but only it keeps the browser's undo history.
    document.execCommand("insertText", false, JSON.stringify(to).slice(1, -1));
  };
  return (
    <ul aria-label={t("unknownKeys")} className="flex flex-col gap-1 text-table text-warn">
      {keys.map((one) => (
        <li key={JSON.stringify([one.segments, one.key])} className="flex flex-wrap items-center gap-x-2">
          <span className="wrap-anywhere">
            {t.rich(
              one.meant === null ? "isNotAKeyAndSent" : "isNotAKey",
              { key: [...one.segments, one.key].join(".") },
              { code: (content) => <code key="code">{content}</code> },
            )}
          </span>
          {one.meant !== null && (
            <Button
              size="sm"
              variant="ghost"
              disabled={disabled}
              onClick={() => one.meant !== null && rename(one, one.meant)}
            >
              {t("renameItToMeant", { meant: one.meant })}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A new line starts with the indentation of the line above. */
function indentNewLine(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
  const { selectionStart, value } = event.currentTarget;
  const line = value.slice(0, selectionStart).split("\n").at(-1) ?? "";
  const indent = (/^ */.exec(line)?.[0] ?? "") + (/[[{]\s*$/.test(line) ? "  " : "");
  if (indent === "") return;
  event.preventDefault();
  // This command is deprecated, but only it keeps the browser's undo history.
  document.execCommand("insertText", false, `\n${indent}`);
}
