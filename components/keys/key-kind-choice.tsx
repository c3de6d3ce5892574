"use client";

import type { KeyKind } from "#contract/accounts/key-constants.ts";
import { useAccess } from "@/components/team/access";
import { RadioGroup } from "@/components/ui/form/radio-group";

interface KeyKindChoiceProps {
  value: KeyKind;
  onChange: (kind: KeyKind) => void;
}

/** Whose a key is: one's own, or the account's. */
export function KeyKindChoice({ value, onChange }: KeyKindChoiceProps) {
  const { may } = useAccess();
  const manages = may("keys:manage");
  return (
    <RadioGroup
      legend="Belongs to"
      value={value}
      onChange={onChange}
      options={[
        {
          value: "service",
          label: "The account (service key)",
          hint: manages
            ? "Keeps working when people leave. Gated operations use your attestations."
            : "Only owners and admins can create service keys.",
          disabled: !manages,
        },
        {
          value: "personal",
          label: "You (personal key)",
          hint: "Ends with your membership and never does more than you may.",
        },
      ]}
    />
  );
}
