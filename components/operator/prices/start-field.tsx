"use client";

import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { RadioGroup } from "@/components/ui/form/radio-group";

/** When a price starts. `at` is a UTC time in the format of the browser's field. */
export interface StartTime {
  when: "now" | "later";
  at: string;
}

/** The start for the request. Empty: now. */
export function startOf({ when, at }: StartTime): { effective_at?: string } {
  if (when === "now" || at === "") return {};
  return { effective_at: `${at.length === 16 ? `${at}:00` : at}Z` };
}

interface StartFieldProps {
  value: StartTime;
  onChange: (value: StartTime) => void;
}

export function StartField({ value, onChange }: StartFieldProps) {
  return (
    <div className="space-y-2">
      <RadioGroup
        legend="Begins"
        appearance="segments"
        value={value.when}
        onChange={(when) => onChange({ ...value, when })}
        options={[
          { value: "now", label: "Now" },
          { value: "later", label: "At a time" },
        ]}
      />
      {value.when === "later" && (
        <Field
          label="Time (UTC)"
          required
          hint="A new price applies to runs that start after it. Earlier runs keep their price."
        >
          {(aria) => (
            <Input
              {...aria}
              type="datetime-local"
              className="max-w-64"
              value={value.at}
              onChange={(event) => onChange({ ...value, at: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
    </div>
  );
}
