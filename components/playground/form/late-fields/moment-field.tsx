"use client";

import { useWords } from "#words";
import { Input } from "@/components/ui/form/input";
import { FieldFrame, fieldComponent } from "../field-frame.tsx";

/** A day, or a time in the reader's zone. Any other value is edited as text. */
export const MomentField = fieldComponent<"moment", string>(({ field, value = "", onChange, ...rest }) => {
  const t = useWords("inputForm");
  const isDay = field.format === "date";
  const local = isDay ? dayOf(value) : localOf(value);
  const isText = value !== "" && local === null;
  const type = (typed: string) => {
    if (typed === "" || isText || isDay) return onChange(typed || undefined);
    onChange(new Date(typed).toISOString());
  };
  return (
    <FieldFrame field={field} {...rest}>
      {(aria) => (
        <>
          <Input
            {...aria}
            type={isText ? "text" : isDay ? "date" : "datetime-local"}
            {...(!isDay && { step: 1 })}
            value={isText ? value : (local ?? "")}
            onChange={(event) => type(event.target.value)}
            className="max-w-64"
          />
          {!isDay && value !== "" && !isText && (
            <p className="text-meta text-muted">
              {t.rich(
                "yourLocalTime",
                { value },
                {
                  code: (content) => (
                    <span key="code" className="font-mono">
                      {content}
                    </span>
                  ),
                },
              )}
            </p>
          )}
        </>
      )}
    </FieldFrame>
  );
});

function dayOf(text: string): string | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null;
}

/** `2026-03-31T12:00:00` in this browser's zone. */
function localOf(text: string): string | null {
  const time = Date.parse(text);
  if (Number.isNaN(time) || !/[tT ]/.test(text)) return null;
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
