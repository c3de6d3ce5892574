"use client";

import dynamic from "next/dynamic";
import { isSame } from "#contract/input-schema/json-values.ts";
import { Select } from "@/components/ui/input";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { Segments } from "../segments";

/** More than this in a row wraps on a phone. */
const segmentCharacters = 44;

/** More than this are searched. */
const mostInList = 40;

const SearchChoice = dynamic(() => import("../rare/search-choice").then((module) => module.SearchChoice), {
  ssr: false,
});

/** One of some values: side by side where they fit, else in a list; found by typing where there are many. */
export const ChoiceField = fieldComponent<"choice", unknown>((view) => {
  const { field, value, onChange, ...rest } = view;
  const unset = field.required
    ? null
    : "default" in field
      ? `Default (${wordOf(field.default)})`
      : "Automatic";
  const words = [unset ?? "", ...field.values.map(wordOf)];
  const at = field.values.findIndex((each) => isSame(each, value));
  const known = value === undefined || at !== -1;
  if (known && words.length <= 6 && words.join("xx").length <= segmentCharacters)
    return (
      <FieldFrame field={field} {...rest} group>
        {() => (
          <Segments
            options={[
              ...(unset ? [{ value: -1, label: unset }] : []),
              ...field.values.map((each, index) => ({ value: index, label: wordOf(each) })),
            ]}
            value={value === undefined && !unset ? undefined : at}
            onChange={(index = -1) => onChange(field.values[index])}
            invalid={rest.problem !== null}
          />
        )}
      </FieldFrame>
    );
  return (
    <FieldFrame field={field} {...rest}>
      {(aria) =>
        field.values.length > mostInList ? (
          <SearchChoice
            aria={aria}
            words={field.values.map(wordOf)}
            unset={unset}
            text={value === undefined ? null : wordOf(value)}
            onChoose={(index) => onChange(index === null ? undefined : field.values[index])}
          />
        ) : (
          <Select
            {...aria}
            value={value === undefined ? "" : at === -1 ? "other" : at}
            onChange={(event) => onChange(field.values[Number.parseInt(event.target.value, 10)])}
          >
            <option value="">{unset ?? "Choose…"}</option>
            {!known && <option value="other">{wordOf(value)} (not offered)</option>}
            {field.values.map((each, index) => (
              <option key={wordOf(each)} value={index}>
                {wordOf(each)}
              </option>
            ))}
          </Select>
        )
      }
    </FieldFrame>
  );
});

const abbreviation = /^(png|jpe?g|webp|mp[34]|wav)$/;
const plainWords = /^[a-z]+([_-][a-z]+)*$/;

/** `reference_image` as `Reference image`, `png` as `PNG`; anything else as it is. */
function wordOf(value: unknown): string {
  if (value === null) return "None";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (abbreviation.test(text)) return text.toUpperCase();
  return plainWords.test(text) ? text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ") : text;
}
