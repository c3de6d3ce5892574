"use client";

import { ShieldCheck } from "lucide-react";
import { fieldComponent } from "../field-component";

/** The confirmation that each run needs. It is never pre-set, and is cleared after every run. */
export const ConfirmField = fieldComponent<"confirm", boolean>(
  ({ field, value, onChange, id, problem, disabled }) => (
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
          Confirm this for each run. Your confirmation is not saved.
        </p>
        {problem && (
          <p id={`${id}-problem`} className="text-meta font-medium text-bad">
            {problem}
          </p>
        )}
      </div>
    </div>
  ),
);
