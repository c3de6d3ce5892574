"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Combobox } from "@/components/ui/form/combobox";
import { Field } from "@/components/ui/form/field";
import { useAccountNames, useAccountSearch } from "../models/account-picker.tsx";

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
            Choose another
          </Button>
        </p>
      </div>
    );
  return (
    <Field
      label={label}
      hint={
        failure ? `The accounts cannot be read: ${failure.message}` : `${none}, unless you choose an account.`
      }
    >
      {(aria) => (
        <Combobox
          aria={aria}
          value={text}
          onChange={setText}
          onPick={(id) => {
            onChange(id);
            setText("");
          }}
          options={(list?.data ?? []).map(({ id, name }) => ({ value: id, label: name, hint: id }))}
          note={list?.has_more ? "More models match. Type to narrow the list." : null}
          placeholder="Search accounts"
        />
      )}
    </Field>
  );
}
