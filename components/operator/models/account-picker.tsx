"use client";

import { X } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { ComboboxField } from "@/components/ui/form/combobox";
import { useAccountNames, useAccountSearch } from "../use-accounts.ts";

interface AccountPickerProps {
  /** Account ids. */
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

/** Chooses accounts. Searches by name and stores ids. */
export function AccountPicker({ chosen, onChange }: AccountPickerProps) {
  const t = useWords("operatorModels");
  const [text, setText] = useState("");
  const { list, failure, busy } = useAccountSearch(text);
  const nameOf = useAccountNames(chosen);
  const offered = (list?.data ?? []).filter(({ id }) => !chosen.includes(id));
  const note = failure
    ? t("accountsUnreadable", { reason: failure.message })
    : busy && !list
      ? t("loadingAccounts")
      : offered.length === 0
        ? text.trim()
          ? t("noOtherAccount")
          : t("allChosen")
        : list?.has_more
          ? t("moreAccountsMatch")
          : null;
  return (
    <div className="space-y-2">
      <ComboboxField
        label={t("accounts")}
        hint={chosen.length === 0 ? t("noAccountIsChosenYet") : t("searchByAPartOf")}
        value={text}
        onValue={setText}
        onPick={(id) => {
          onChange([...chosen, id]);
          setText("");
        }}
        options={offered.map(({ id, name }) => ({ value: id, label: name, hint: id }))}
        note={note}
        placeholder={t("searchAccountsToAdd")}
      />
      {chosen.length > 0 && (
        <ul aria-label={t("chosenAccounts")} className="divide-y rounded-control border">
          {chosen.map((id) => (
            <li key={id} className="flex items-center gap-2 py-1 pr-1 pl-3">
              <span className="min-w-0 flex-1">
                <span className="block wrap-anywhere">{nameOf(id)}</span>
                <span className="block font-mono text-meta text-muted wrap-anywhere">{id}</span>
              </span>
              <IconButton
                size="sm"
                label={t("removeId", { id: nameOf(id) })}
                icon={<X size={16} aria-hidden />}
                onClick={() => onChange(chosen.filter((each) => each !== id))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
