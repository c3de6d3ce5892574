"use client";

import { ShieldCheck } from "lucide-react";
import dynamic from "next/dynamic";
import { isSame } from "#contract/input-schema/json-values.ts";
import { useWords } from "#words";
import { Select } from "@/components/ui/form/input";
import { valueLabel, valueLabels } from "@/lib/schema-form/labels";
import { FieldFrame, fieldComponent } from "../field-frame.tsx";
import { Segments } from "../segments.tsx";

/** A longer row would wrap on a phone. */
const segmentCharacters = 44;

/** Longer lists get a search. */
const maxInList = 40;

const SearchChoice = dynamic(
  () => import("../late-fields/search-choice.tsx").then((module) => module.SearchChoice),
  {
    ssr: false,
  },
);

/** One of several values: side by side if they fit, otherwise as a list. Many values get a search. */
export const ChoiceField = fieldComponent<"choice", unknown>((view) => {
  const t = useWords("inputForm");
  const { field, value, onChange, ...rest } = view;
  const unset = field.required
    ? null
    : "default" in field
      ? t("defaultValue", { value: valueLabel(field.default, t) })
      : t("automatic");
  const labels = valueLabels(field.values, t);
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
            text={value === undefined ? null : (labels[at] ?? valueLabel(value, t))}
            onChoose={(index) => onChange(index === null ? undefined : field.values[index])}
          />
        ) : (
          <Select
            {...aria}
            value={value === undefined ? "" : at === -1 ? "other" : at}
            onChange={(event) => onChange(field.values[Number.parseInt(event.target.value, 10)])}
          >
            <option value="">{unset ?? t("choose")}</option>
            {!known && <option value="other">{t("valueNotOffered", { value: valueLabel(value, t) })}</option>}
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

/**
 * Not a plain checkbox, which could not distinguish "no" from "not answered". The difference may change the
 * price.
 */
export const YesNoField = fieldComponent<"yes-no", boolean>(({ field, value, onChange, ...rest }) => {
  const t = useWords("inputForm");
  const unset =
    field.default === undefined ? t("automatic") : field.default === true ? t("defaultYes") : t("defaultNo");
  return (
    <FieldFrame field={field} {...rest} group>
      {() => (
        <Segments
          options={[
            ...(field.required ? [] : [{ value: undefined, label: unset }]),
            { value: true, label: t("yes") },
            { value: false, label: t("no") },
          ]}
          value={value}
          onChange={onChange}
          invalid={rest.problem !== null}
        />
      )}
    </FieldFrame>
  );
});

/** The confirmation that each run needs. It is never pre-set, and is cleared after every run. */
export const ConfirmField = fieldComponent<"confirm", boolean>(
  ({ field, value, onChange, id, problem, disabled }) => {
    const t = useWords("inputForm");
    return (
      <div
        className={`flex gap-3 rounded-panel border bg-warn-soft p-3 ${problem ? "border-bad" : "border-warn"}`}
      >
        <ShieldCheck size={18} aria-hidden className="mt-0.5 shrink-0 text-warn" />
        <div className="flex min-w-0 flex-col gap-1">
          <label className="flex items-start gap-2">
            <input
              id={id}
              type="checkbox"
              checked={value === true}
              disabled={disabled}
              aria-describedby={`${id}-why${problem ? ` ${id}-problem` : ""}`}
              aria-invalid={problem ? true : undefined}
              aria-required
              // Removing the tick withdraws the confirmation. It does not mean "no".
              onChange={(event) => onChange(event.target.checked || undefined)}
              className="-mt-px"
            />
            <span className="font-medium text-ink">{field.statement}</span>
          </label>
          <p id={`${id}-why`} className="text-meta text-muted">
            {t("confirmThisForEachRun")}
          </p>
          {problem && (
            <p id={`${id}-problem`} className="text-meta font-medium text-bad">
              {problem}
            </p>
          )}
        </div>
      </div>
    );
  },
);

/** The region. If it is empty, the gateway chooses a healthy region of the model. */
export const RegionField = fieldComponent<"region", string>(({ field, value, onChange, ...rest }) => {
  const t = useWords("inputForm");
  return (
    <FieldFrame field={field} {...rest}>
      {(aria) => (
        <Select {...aria} value={value ?? ""} onChange={(event) => onChange(event.target.value || undefined)}>
          <option value="">{t("automatic")}</option>
          {value && !field.regions.some(({ name }) => name === value) && (
            <option value={value}>{t("valueNotOffered", { value })}</option>
          )}
          {field.regions.map(({ name, healthy }) => (
            <option key={name} value={name}>
              {healthy ? name : t("nameUnhealthy", { name })}
            </option>
          ))}
        </Select>
      )}
    </FieldFrame>
  );
});
