"use client";

import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { type TextRule, wholePattern } from "@/components/ui/form/field";
import { InputField } from "@/components/ui/form/input-fields";

interface RenameFormProps {
  name: string;
  /** The contract's rule for a name of this kind. */
  rule: TextRule & { pattern: string };
  busy: boolean;
  onRename: (name: string) => void;
  onCancel: () => void;
}

/** Replaces a preset's row while the user renames the preset. */
export function RenameForm({ name, rule, busy, onRename, onCancel }: RenameFormProps) {
  const t = useWords("presets");
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onRename(String(new FormData(event.currentTarget).get("name")));
      }}
    >
      <InputField
        label={t("newNameOfName", { name })}
        hideLabel
        rule={rule}
        className="flex-1"
        // The field replaces the button that opened it, so it takes the focus.
        autoFocus
        name="name"
        defaultValue={name}
        pattern={wholePattern(rule)}
        autoComplete="off"
      />
      <Button type="submit" variant="primary" busy={busy}>
        {t("rename")}
      </Button>
      <Button onClick={onCancel} disabled={busy}>
        {t("cancel")}
      </Button>
    </form>
  );
}
