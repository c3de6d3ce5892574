"use client";

import {
  type FieldTemplateProps,
  getUiOptions,
  type ObjectFieldTemplateProps,
  type UiSchema,
} from "@rjsf/utils";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { PlannedField } from "@/lib/schema-form/plan";

const planOf = (uiSchema: UiSchema | undefined) => getUiOptions(uiSchema).plan as PlannedField | undefined;

/** Each field draws its own frame; rjsf's adds nothing. */
export function BareFieldTemplate({ children, hidden }: FieldTemplateProps) {
  return hidden ? <div hidden>{children}</div> : children;
}

/** The fields one below the other, rarely needed ones folded away. */
export function FieldsTemplate({ properties, uiSchema, formData }: ObjectFieldTemplateProps) {
  const isAdvanced = (name: string) => planOf(uiSchema?.[name])?.advanced === true;
  const advanced = properties.filter(({ name }) => isAdvanced(name));
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {properties.filter(({ name }) => !isAdvanced(name)).map(({ content }) => content)}
      {advanced.length > 0 && (
        <AdvancedFields inUse={advanced.some(({ name }) => formData?.[name] !== undefined)}>
          {advanced.map(({ content }) => content)}
        </AdvancedFields>
      )}
    </div>
  );
}

/** Fields that most runs do not set. They open automatically when the draft uses one. */
function AdvancedFields({ inUse, children }: { inUse: boolean; children: ReactNode }) {
  const [open, setOpen] = useState<boolean | null>(null);
  return (
    <details
      open={open ?? inUse}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group min-w-0 border-t pt-3"
    >
      <summary className="flex min-h-6 cursor-pointer list-none items-center gap-1 text-table font-medium text-muted hover:text-ink">
        <ChevronRight size={14} aria-hidden className="transition-transform group-open:rotate-90" />
        More options
      </summary>
      <div className="mt-3 flex min-w-0 flex-col gap-4">{children}</div>
    </details>
  );
}
