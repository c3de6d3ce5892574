"use client";

import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

interface CustomPeriodProps {
  from: Date | null;
  to: Date | null;
  onChange: (change: { from?: Date | null; to?: Date | null }) => void;
}

/** Two exact times in the browser's own zone. */
export function CustomPeriod({ from, to, onChange }: CustomPeriodProps) {
  return (
    <>
      <Field label="From (local time)">
        {(aria) => (
          <Input
            {...aria}
            type="datetime-local"
            value={inputValue(from)}
            onChange={(event) => onChange({ from: dateOf(event.target.value) })}
          />
        )}
      </Field>
      <Field label="To (local time)">
        {(aria) => (
          <Input
            {...aria}
            type="datetime-local"
            value={inputValue(to)}
            onChange={(event) => onChange({ to: dateOf(event.target.value) })}
          />
        )}
      </Field>
    </>
  );
}

/** `2026-11-20T10:42` in local time, as the input wants it. */
function inputValue(date: Date | null): string {
  if (!date) return "";
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

function dateOf(value: string): Date | null {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}
