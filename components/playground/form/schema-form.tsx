"use client";

import Form from "@rjsf/core/lib/components/Form.js";
import type { Experimental_DefaultFormStateBehavior } from "@rjsf/utils";
import { useMemo } from "react";
import { mergeForm } from "@/lib/schema-form/draft";
import { isObject, type JsonObject } from "@/lib/schema-form/json";
import type { FormPlan } from "@/lib/schema-form/plan";
import type { Problem } from "@/lib/schema-form/problem";
import { rjsfForm } from "@/lib/schema-form/rjsf-form";
import { formValidator } from "@/lib/schema-form/rjsf-validator";
import { fields } from "./fields";
import { FormContext, PartContext } from "./form-context";
import { PartField } from "./part-field";
import { BareFieldTemplate, FieldsTemplate } from "./templates";

interface SchemaFormProps {
  /** The gateway's public address, ending with `/v1`. */
  baseUrl: string;
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

/** The draft is the only state: the form adds no value that the person did not choose. */
const addNothing: Experimental_DefaultFormStateBehavior = {
  arrayMinItems: { populate: "never" },
  emptyObjectFields: "skipDefaults",
  constAsDefaults: "never",
};

/** The form of an operation: rjsf with the console's own fields and templates, over one JSON value. */
export function SchemaForm(props: SchemaFormProps) {
  const { baseUrl, plan, value, problems, disabled = false, onChange } = props;
  const { onUploading = ignore, onUnreadable = ignoreUnreadable } = props;
  const { schema, uiSchema } = useMemo(() => rjsfForm(plan, value), [plan, value]);
  const state = useMemo(
    () => ({ baseUrl, problems, disabled, onUploading, onUnreadable }),
    [baseUrl, problems, disabled, onUploading, onUnreadable],
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
          {/* The Run button is outside the form. */}
          <span hidden />
        </Form>
      </PartContext>
    </FormContext>
  );
}
