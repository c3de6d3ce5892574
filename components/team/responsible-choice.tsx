"use client";

import type { Person } from "#contract/accounts/people.ts";
import { SelectField } from "@/components/ui/form/input-fields";
import { formatCount } from "@/lib/format";

interface ResponsibleChoiceProps {
  /** "Ada is" or "You are". */
  subject: string;
  /** The service keys that run gated operations with this person's attestations. */
  keys: readonly Person[];
  /** Owners and admins who could be responsible instead. */
  others: readonly Person[];
  /** The new responsible person. Empty for nobody. */
  value: string;
  onChange: (userId: string) => void;
}

/** Service keys that would stop running gated operations, with a choice of another responsible person. */
export function ResponsibleChoice({ subject, keys, others, value, onChange }: ResponsibleChoiceProps) {
  if (keys.length === 0) return null;
  return (
    <div className="space-y-2 rounded-control bg-warn-soft p-3 text-ink">
      <p>
        {subject} responsible for {formatCount(keys.length, "service key")}:{" "}
        <span className="font-medium wrap-anywhere">{keys.map(({ name }) => name).join(", ")}</span>. Gated
        operations with {keys.length === 1 ? "it" : "them"} stop at once unless somebody else takes over.
      </p>
      <SelectField
        label="Responsible from now on"
        hint="Choose an owner or admin who has attested."
        value={value}
        onValue={onChange}
        options={[
          ["", "Nobody: gated operations stop"],
          ...others.map((other) => [other.id, other.name] as const),
        ]}
      />
    </div>
  );
}
