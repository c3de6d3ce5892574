"use client";

import dynamic from "next/dynamic";
import { isSame } from "#contract/input-schema/json-values.ts";
import { Select } from "@/components/ui/form/input";
import { valueLabel, valueLabels } from "@/lib/schema-form/labels";
import { fieldComponent } from "../field-component";
import { FieldFrame } from "../field-frame";
import { Segments } from "../segments";

/** A longer row would wrap on a phone. */
const segmentCharacters = 44;

/** Longer lists get a search. */
const maxInList = 40;

const SearchChoice = dynamic(
  () => import("../late-fields/search-choice").then((module) => module.SearchChoice),
  {
    ssr: false,
  },
);

/** One of several values: side by side if they fit, otherwise as a list. Many values get a search. */
export const ChoiceField = fieldComponent<"choice", unknown>((view) => {
  const { field, value, onChange, ...rest } = view;
  const unset = field.required
    ? null
    : "default" in field
      ? `Default (${valueLabel(field.default)})`
      : "Automatic";
  const labels = valueLabels(field.values);
  const withUnset = [unset ?? "", ...labels];
  const at = field.values.findIndex((each) => isSame(each, value));
  const known = value === undefined || at !== -1;
  if (known && withUnset.length <= 6 && withUnset.join("xx").length <= segmentCharacters)
    return (
      <FieldFrame field={field} {...rest} group>
        {() => (
          <Segments
            options={[
              ...(unset ? [{ value: -1, label: unset }] : []),
              ...labels.map((label, index) => ({ value: index, label })),
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
        field.values.length > maxInList ? (
          <SearchChoice
            aria={aria}
            labels={labels}
            unset={unset}
            text={value === undefined ? null : (labels[at] ?? valueLabel(value))}
            onChoose={(index) => onChange(index === null ? undefined : field.values[index])}
          />
        ) : (
          <Select
            {...aria}
            value={value === undefined ? "" : at === -1 ? "other" : at}
            onChange={(event) => onChange(field.values[Number.parseInt(event.target.value, 10)])}
          >
            <option value="">{unset ?? "Choose…"}</option>
            {!known && <option value="other">{valueLabel(value)} (not offered)</option>}
            {labels.map((label, index) => (
              <option key={label} value={index}>
                {label}
              </option>
            ))}
          </Select>
        )
      }
    </FieldFrame>
  );
});
