"use client";

import type { Person } from "#contract/accounts/people.ts";
import { useFormats, useWords } from "#words";
import { SelectField } from "@/components/ui/form/input-fields";

interface ResponsibleChoiceProps {
  /** The person, or null for the reader. */
  name: string | null;
  /** The service keys that run gated operations with this person's attestations. */
  keys: readonly Person[];
  /** Owners and admins who could be responsible instead. */
  others: readonly Person[];
  /** The new responsible person. Empty for nobody. */
  value: string;
  onChange: (userId: string) => void;
}

/** Service keys that would stop running gated operations, with a choice of another responsible person. */
export function ResponsibleChoice({ name, keys, others, value, onChange }: ResponsibleChoiceProps) {
  const t = useWords("attestations");
  const { list } = useFormats();
  if (keys.length === 0) return null;
  return (
    <div className="space-y-2 rounded-control bg-warn-soft p-3 text-ink">
      <p>
        {t.rich(
          "isResponsibleFor",
          {
            who: name === null ? "self" : "member",
            name: name ?? "",
            count: keys.length,
            keys: list(keys.map((key) => key.name)),
          },
          {
            b: (text) => (
              <span key="keys" className="font-medium wrap-anywhere">
                {text}
              </span>
            ),
          },
        )}
      </p>
      <SelectField
        label={t("responsibleFromNowOn")}
        hint={t("chooseAnOwnerOrAdmin")}
        value={value}
        onValue={onChange}
        options={[["", t("nobodyIsResponsible")], ...others.map((other) => [other.id, other.name] as const)]}
      />
    </div>
  );
}
