"use client";

import { useState } from "react";
import { classNames } from "../class-names.ts";
import { Input } from "../form/input.tsx";

interface TextFilterProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  /** Why a text cannot be a filter. Null: it can. */
  problemOf?: (text: string) => string | null;
  className?: string;
  maxLength?: number;
}

/** A text filter. Enter, or leaving the field, applies it. Pass its value as `key`. */
export function TextFilter({
  label,
  placeholder,
  value,
  onChange,
  problemOf,
  className,
  maxLength = 600,
}: TextFilterProps) {
  const [text, setText] = useState(value);
  const [problem, setProblem] = useState<string | null>(null);
  const apply = () => {
    const wanted = text.trim();
    const wrong = wanted === "" ? null : (problemOf?.(wanted) ?? null);
    setProblem(wrong);
    if (wrong === null && wanted !== value) onChange(wanted);
  };
  return (
    <form
      className={classNames("max-w-full shrink-0 max-tablet:w-full", className)}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Input
        type="search"
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        placeholder={placeholder}
        className="field-sizing-content min-w-40 font-mono placeholder:font-sans"
        maxLength={maxLength}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
      {problem && (
        <p role="alert" className="text-meta font-medium text-bad">
          {problem}
        </p>
      )}
    </form>
  );
}
