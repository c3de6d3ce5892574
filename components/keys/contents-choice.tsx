import type { ContentsRule, KeyContents } from "#contract/accounts/constants.ts";
import { useWords } from "#words";
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
  const t = useWords("keys");
  const isAll = rule === "all";
  return (
    <RadioGroup<KeyContents>
      legend={t("contentsOfItsCalls")}
      value={value}
      onChange={onChange}
      options={[
        {
          value: "inherit",
          label: t("asTheAccountSays"),
          hint: isAll ? t("keptOwnersAndAdminsCan") : t("notKeptTheAccountKeeps"),
        },
        ...(isAll
          ? []
          : [
              {
                value: "on" as const,
                label: t("keep"),
                hint: manages ? t("ownersAndAdminsCanRead") : t("onlyOwnersAndAdminsCan"),
                disabled: !manages,
              },
            ]),
        { value: "off", label: t("neverKeep"), hint: t("alsoIfTheAccountLater") },
      ]}
    />
  );
}
