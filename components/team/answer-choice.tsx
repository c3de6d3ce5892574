"use client";

import type { Member } from "#contract/members.ts";
import { permissionsOfRole } from "#contract/permissions.ts";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/input";
import { formatCount } from "@/lib/format";

interface AnswerChoiceProps {
  member: Member;
  members: readonly Member[];
  /** Who answers from now on; empty for nobody. */
  value: string;
  onChange: (userId: string) => void;
}

/** Service keys that would stop running gated operations without this member, and who may answer for them instead. */
export function AnswerChoice({ member, members, value, onChange }: AnswerChoiceProps) {
  const keys = member.answers_for;
  if (keys.length === 0) return null;
  const others = members.filter(
    ({ user_id: id, role }) => id !== member.user_id && permissionsOfRole(role).has("attestations:answer"),
  );
  return (
    <div className="space-y-2 rounded-control bg-warn-soft p-3 text-ink">
      <p>
        {member.name} answers for {formatCount(keys.length, "service key")} by their attestations:{" "}
        <span className="font-medium wrap-anywhere">{keys.map(({ name }) => name).join(", ")}</span>. Without
        somebody else, gated operations with {keys.length === 1 ? "it" : "them"} stop at once.
      </p>
      <Field label="From now on answered for by" hint="An owner or admin who has attested.">
        {(aria) => (
          <Select {...aria} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
            <option value="">Nobody: gated operations stop</option>
            {others.map((other) => (
              <option key={other.user_id} value={other.user_id}>
                {other.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}
