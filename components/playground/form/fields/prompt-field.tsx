"use client";

import { countCharacters } from "#contract/characters.ts";
import { Textarea } from "@/components/ui/form/input";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";

const rowsOf = (text: string) =>
  Math.min(14, Math.max(3, text.split("\n").length, Math.ceil(text.length / 80)));

/** Long text with a counter of the remaining characters. */
export const PromptField = fieldComponent<"prompt", string>(({ field, value = "", onChange, ...rest }) => (
  <FieldFrame
    field={field}
    {...rest}
    aside={<Counter length={countCharacters(value)} max={field.maxLength} />}
  >
    {(aria) => (
      <Textarea
        {...aria}
        rows={rowsOf(value.length > 2000 ? "x".repeat(1200) : value)}
        value={value}
        onChange={(event) => onChange(event.target.value || undefined)}
        className="resize-y"
      />
    )}
  </FieldFrame>
));

function Counter({ length, max }: { length: number; max: number | null }) {
  const over = max !== null && length > max;
  return (
    <span className={`tabular shrink-0 text-meta ${over ? "font-medium text-bad" : "text-muted"}`}>
      <span aria-hidden>
        {length.toLocaleString("en")}
        {max !== null && ` / ${max.toLocaleString("en")}`}
      </span>
      {/* Announced once when the text becomes too long, not on every key. */}
      <span role="status" className="sr-only">
        {over && `Longer than ${max.toLocaleString("en")} characters`}
      </span>
    </span>
  );
}
