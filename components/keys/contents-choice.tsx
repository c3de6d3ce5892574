import type { ContentsRule, KeyContents } from "#contract/accounts/constants.ts";
import { RadioGroup } from "@/components/ui/form/radio-group";

interface ContentsChoiceProps {
  /** What the account keeps. */
  rule: Exclude<ContentsRule, "off">;
  /** Whether the visitor manages keys: only they may choose a key. */
  manages: boolean;
  value: KeyContents;
  onChange: (value: KeyContents) => void;
}

/** Whether the account keeps what calls with a key are sent and answered. */
export function ContentsChoice({ rule, manages, value, onChange }: ContentsChoiceProps) {
  const isAll = rule === "all";
  return (
    <RadioGroup<KeyContents>
      legend="Contents of its calls"
      value={value}
      onChange={onChange}
      options={[
        {
          value: "inherit",
          label: "As the account says",
          hint: isAll
            ? "Kept: owners and admins can read what its calls said."
            : "Not kept: the account keeps only those of chosen keys.",
        },
        ...(isAll
          ? []
          : [
              {
                value: "on" as const,
                label: "Keep",
                hint: manages
                  ? "Owners and admins can read what its calls said."
                  : "Only owners and admins can choose this.",
                disabled: !manages,
              },
            ]),
        { value: "off", label: "Never keep", hint: "Also if the account later keeps those of all calls." },
      ]}
    />
  );
}
