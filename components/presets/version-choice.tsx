"use client";

import { Field } from "@/components/ui/form/field";
import { Select } from "@/components/ui/form/input";
import { usePageRouter } from "@/components/ui/page/use-place";

interface VersionChoiceProps {
  id: string;
  /** Newest first. */
  versions: readonly number[];
  from: number;
  to: number;
}

/** Chooses the two versions to compare. */
export function VersionChoice({ id, versions, from, to }: VersionChoiceProps) {
  const router = usePageRouter();
  const choose = (next: { from: number; to: number }) =>
    router.replace(`/presets/${id}?from=${next.from}&to=${next.to}`, { scroll: false });
  return (
    <>
      <VersionSelect
        label="From"
        value={from}
        versions={versions}
        onChange={(value) => choose({ from: value, to })}
      />
      <VersionSelect
        label="To"
        value={to}
        versions={versions}
        onChange={(value) => choose({ from, to: value })}
      />
    </>
  );
}

interface VersionSelectProps {
  label: string;
  value: number;
  versions: readonly number[];
  onChange: (version: number) => void;
}

function VersionSelect({ label, value, versions, onChange }: VersionSelectProps) {
  return (
    <Field label={label} hideLabel>
      {(aria) => (
        <Select {...aria} value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
          {versions.map((version) => (
            <option key={version} value={version}>
              {label} version {version}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
