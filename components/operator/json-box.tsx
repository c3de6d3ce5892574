"use client";

import { useId, useMemo, useRef } from "react";
import { useWords } from "#words";
import { Textarea } from "@/components/ui/form/input";
import { findJsonFault } from "@/lib/schema-form/json-fault";

interface JsonBoxProps {
  label: string;
  text: string;
  onChange: (text: string) => void;
  hint?: string;
  rows?: number;
  disabled?: boolean;
  /** The gateway's error. */
  error?: string | undefined;
}

/** JSON to edit, with the position of the first JSON fault. */
export function JsonBox({ label, text, onChange, hint, rows = 12, disabled, error }: JsonBoxProps) {
  const t = useWords("operator");
  const faults = useWords("jsonFault");
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const fault = useMemo(() => (isJson(text) ? null : findJsonFault(text, faults)), [text, faults]);
  const line = fault ? text.slice(0, fault.offset).split("\n").length : 0;
  const goTo = () => {
    if (!fault || !box.current) return;
    box.current.focus();
    box.current.setSelectionRange(fault.offset, fault.offset + 1);
  };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-table font-medium">
        {label}
      </label>
      <Textarea
        ref={box}
        id={id}
        rows={rows}
        wrap="off"
        spellCheck={false}
        disabled={disabled}
        value={text}
        aria-invalid={fault || error ? true : undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="resize-y font-mono text-table"
      />
      <p id={`${id}-note`} className="text-meta text-muted">
        {fault ? (
          <span className="font-medium text-bad">
            {fault.message}{" "}
            <button type="button" className="underline" onClick={goTo}>
              {t("lineLine", { line })}
            </button>
          </span>
        ) : error ? (
          <span className="font-medium text-bad wrap-anywhere">{error}</span>
        ) : (
          hint
        )}
      </p>
    </div>
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
