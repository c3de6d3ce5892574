"use client";

import { Braces } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import type { FieldKind, PlannedField } from "@/lib/schema-form/plan";
import { asJson } from "@/lib/schema-form/rjsf-form";
import type { FieldOf, FieldView } from "./field-frame.tsx";
import { JsonEditor } from "./fields/json-field.tsx";

/** Lets the user edit a part as JSON and return to the form. Typed text stays until it is valid. */
export function useJsonView<Kind extends FieldKind, Value>(view: FieldView<Kind, Value>) {
  const t = useWords("inputForm");
  const [open, setOpen] = useState(false);
  const { field, onChange, ...rest } = view;
  return {
    toggle: (
      <IconButton
        size="sm"
        label={t("editTitleAsJson", { title: field.title })}
        icon={<Braces size={14} aria-hidden />}
        onClick={() => setOpen(true)}
        className="-mt-1.5"
      />
    ),
    editor: open ? (
      <JsonEditor
        {...rest}
        field={asJson(field as PlannedField) as FieldOf<"json">}
        onChange={(value) => onChange(value as Value | undefined)}
        onForm={() => setOpen(false)}
      />
    ) : null,
  };
}
