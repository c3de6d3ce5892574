"use client";

import { useState } from "react";
import { useWords } from "#words";
import { useAccountNames, useAccountSearch } from "@/components/operator/use-accounts";
import { Button } from "@/components/ui/button";
import { ComboboxField } from "@/components/ui/form/combobox";
import { InputField } from "@/components/ui/form/input-fields";
import { RadioGroup } from "@/components/ui/form/radio-group";

interface AccountFieldProps {
  label: string;
  /** Label for "no account". */
  none: string;
  /** Account id. */
  value: string | null;
  onChange: (value: string | null) => void;
}

/** Chooses one account, searched by name, or none. */
export function AccountField({ label, none, value, onChange }: AccountFieldProps) {
  const t = useWords("prices");
  const [text, setText] = useState("");
  const { list, failure } = useAccountSearch(text);
  const nameOf = useAccountNames(value ? [value] : []);
  if (value)
    return (
      <div className="space-y-1">
        <p className="text-table font-medium">{label}</p>
        <p className="flex flex-wrap items-center gap-2">
          <span className="wrap-anywhere">{nameOf(value)}</span>
          <Button size="sm" onClick={() => onChange(null)}>
            {t("chooseAnother")}
          </Button>
        </p>
      </div>
    );
  return (
    <ComboboxField
      label={label}
      hint={
        failure
          ? t("theAccountsCannotBeRead", { message: failure.message })
          : t("noneUnlessYouChooseAn", { none })
      }
      value={text}
      onValue={setText}
      onPick={(id) => {
        onChange(id);
        setText("");
      }}
      options={(list?.data ?? []).map(({ id, name }) => ({ value: id, label: name, hint: id }))}
      note={list?.has_more ? t("moreAccountsMatch") : null}
      placeholder={t("searchAccounts")}
    />
  );
}

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
  const t = useWords("prices");
  return (
    <div className="space-y-2">
      <RadioGroup
        legend={t("begins")}
        appearance="segments"
        value={value.when}
        onChange={(when) => onChange({ ...value, when })}
        options={[
          { value: "now", label: t("now") },
          { value: "later", label: t("atATime") },
        ]}
      />
      {value.when === "later" && (
        <InputField
          label={t("timeUtc")}
          required
          hint={t("aNewPriceAppliesTo")}
          type="datetime-local"
          look="max-w-64"
          value={value.at}
          onValue={(at) => onChange({ ...value, at })}
        />
      )}
    </div>
  );
}
