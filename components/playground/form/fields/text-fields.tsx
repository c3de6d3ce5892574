"use client";

import { Plus, X } from "lucide-react";
import { countCharacters } from "#contract/characters.ts";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { Input, Textarea } from "@/components/ui/form/input";
import { FieldFrame, fieldComponent } from "../field-frame.tsx";

/** Short text. Suggests the example's value, but accepts any text. */
export const TextField = fieldComponent<"text", string>(({ field, value = "", onChange, ...rest }) => (
  <FieldFrame field={field} {...rest}>
    {(aria) => (
      <>
        <Input
          {...aria}
          value={value}
          autoComplete="off"
          {...(field.entry !== "text" && {
            inputMode: field.entry,
            autoCapitalize: "none",
            spellCheck: false,
          })}
          onChange={(event) => onChange(event.target.value || undefined)}
          {...(field.suggestions.length > 0 && { list: `${aria.id}-list` })}
        />
        {field.suggestions.length > 0 && (
          <datalist id={`${aria.id}-list`}>
            {field.suggestions.map((suggestion) => (
              <option key={suggestion} value={suggestion} />
            ))}
          </datalist>
        )}
      </>
    )}
  </FieldFrame>
));

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
  const t = useWords("inputForm");
  const over = max !== null && length > max;
  return (
    <span className={`tabular shrink-0 text-meta ${over ? "font-medium text-bad" : "text-muted"}`}>
      <span aria-hidden>
        {max !== null
          ? `${length.toLocaleString("en")} / ${max.toLocaleString("en")}`
          : length > 0 && t("characters", { count: length })}
      </span>
      {/* Announced once when the text becomes too long, not on every key. */}
      <span role="status" className="sr-only">
        {over && t("longerThan", { max })}
      </span>
    </span>
  );
}

/** A list of short texts. */
export const StringsField = fieldComponent<"strings", string[]>(
  ({ field, value = [], onChange, ...rest }) => {
    const t = useWords("inputForm");
    const change = (next: string[]) => onChange(next.length > 0 ? next : undefined);
    return (
      <FieldFrame field={field} {...rest} group>
        {({ id }) => (
          <>
            {value.map((text, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the texts may be equal and have no identity.
              <div key={index} className="flex gap-1.5">
                <Input
                  id={`${id}-${index}`}
                  aria-label={`${field.title} ${index + 1}`}
                  value={text}
                  onChange={(event) =>
                    change(value.map((each, at) => (at === index ? event.target.value : each)))
                  }
                />
                <IconButton
                  label={t("removeName", { name: `${field.title.toLowerCase()} ${index + 1}` })}
                  icon={<X size={16} aria-hidden />}
                  onClick={() => change(value.filter((_, at) => at !== index))}
                />
              </div>
            ))}
            {(field.max === null || value.length < field.max) && (
              <Button
                size="sm"
                className="self-start"
                icon={<Plus size={14} aria-hidden />}
                onClick={() => change([...value, ""])}
              >
                {t("add")}
              </Button>
            )}
          </>
        )}
      </FieldFrame>
    );
  },
);
