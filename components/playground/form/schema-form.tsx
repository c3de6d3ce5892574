"use client";

import Form from "@rjsf/core/lib/components/Form.js";
import {
  type Experimental_DefaultFormStateBehavior,
  type FieldTemplateProps,
  getUiOptions,
  type ObjectFieldTemplateProps,
  type UiSchema,
} from "@rjsf/utils";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useWords } from "#words";
import { mergeForm } from "@/lib/schema-form/draft";
import { isObject, type JsonObject } from "@/lib/schema-form/json";
import { mediaIn } from "@/lib/schema-form/media-value";
import type { FormPlan, PlannedField } from "@/lib/schema-form/plan";
import type { Problem } from "@/lib/schema-form/problem-messages";
import { formValidator, rjsfForm } from "@/lib/schema-form/rjsf-form";
import { fields, PartField } from "./fields.tsx";
import { FormContext, PartContext } from "./form-context.tsx";

interface SchemaFormProps {
  /** The gateway's public address, ending with `/v1`. */
  baseUrl: string;
  /** The operation's example, whose files the first file of a person replaces. */
  example?: JsonObject;
  plan: FormPlan;
  value: JsonObject;
  problems: readonly Problem[];
  disabled?: boolean;
  onChange: (value: JsonObject) => void;
  onUploading?: (change: 1 | -1) => void;
  onUnreadable?: (pointer: string, message: string) => () => void;
}

const ignore = () => {};
const ignoreUnreadable = () => ignore;

const templates = {
  FieldTemplate: BareFieldTemplate,
  ObjectFieldTemplate: FieldsTemplate,
};

/** The draft is the only state. The form adds no value that the person did not choose. */
const addNothing: Experimental_DefaultFormStateBehavior = {
  arrayMinItems: { populate: "never" },
  emptyObjectFields: "skipDefaults",
  constAsDefaults: "never",
};

/** The form of an operation: rjsf with the console's fields and templates, for one JSON value. */
export function SchemaForm(props: SchemaFormProps) {
  const { baseUrl, example, plan, value, problems, disabled = false, onChange } = props;
  const { onUploading = ignore, onUnreadable = ignoreUnreadable } = props;
  const { schema, uiSchema } = useMemo(() => rjsfForm(plan, value), [plan, value]);
  const exampleFiles = useMemo(() => new Set(mediaIn(example, baseUrl)), [example, baseUrl]);
  const state = useMemo(
    () => ({ baseUrl, exampleFiles, problems, disabled, onUploading, onUnreadable }),
    [baseUrl, exampleFiles, problems, disabled, onUploading, onUnreadable],
  );
  return (
    <FormContext value={state}>
      <PartContext value={PartField}>
        <Form
          tagName="div"
          idPrefix="field"
          idSeparator="-"
          schema={schema}
          uiSchema={uiSchema}
          formData={value}
          validator={formValidator}
          fields={fields}
          templates={templates}
          experimental_defaultFormStateBehavior={addNothing}
          noValidate
          showErrorList={false}
          onChange={({ formData }) => onChange(mergeForm(value, isObject(formData) ? formData : {}, plan))}
        >
          {/* Replaces rjsf's own submit button, because the Run button is outside the form. */}
          <span hidden />
        </Form>
      </PartContext>
    </FormContext>
  );
}

const planOf = (uiSchema: UiSchema | undefined) => getUiOptions(uiSchema).plan as PlannedField | undefined;

/** Each field has its own frame, so rjsf's template adds nothing. */
function BareFieldTemplate({ children, hidden }: FieldTemplateProps) {
  return hidden ? <div hidden>{children}</div> : children;
}

/** The fields one below the other, with rarely needed ones collapsed. */
function FieldsTemplate({ properties, uiSchema, formData }: ObjectFieldTemplateProps) {
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

/** Fields that most runs do not set. They open automatically if the draft uses one. */
function AdvancedFields({ inUse, children }: { inUse: boolean; children: ReactNode }) {
  const t = useWords("inputForm");
  const [open, setOpen] = useState<boolean | null>(null);
  return (
    <details
      open={open ?? inUse}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group min-w-0 border-t pt-3"
    >
      <summary className="flex min-h-6 cursor-pointer list-none items-center gap-1 text-table font-medium text-muted hover:text-ink">
        <ChevronRight size={14} aria-hidden className="transition-transform group-open:rotate-90" />
        {t("moreOptions")}
      </summary>
      <div className="mt-3 flex min-w-0 flex-col gap-4">{children}</div>
    </details>
  );
}
