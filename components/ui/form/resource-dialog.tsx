"use client";

import type { ComponentProps, ReactNode } from "react";
import {
  Controller,
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  FormProvider,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { GatewayFailure } from "@/lib/gateway/result";
import { Button } from "../button.tsx";
import { ErrorPanel } from "../page/error-panel.tsx";
import { Field, refusesEmpty, type TextRule } from "./field.tsx";
import { FormActions, FormDialog } from "./form-dialog.tsx";

import { Input, Textarea } from "./input.tsx";
import { useSend } from "./use-send.ts";

interface ResourceDialogProps<Values extends FieldValues>
  extends Pick<ComponentProps<typeof FormDialog>, "title" | "description"> {
  defaults: DefaultValues<Values>;
  /** The fields that can show an error of the gateway. By default the properties of `defaults`. */
  names?: readonly FieldPath<Values>[];
  submitLabel: string;
  /** Resolves to the failure to show, or to null after saving. `settle` converts a server action to this. */
  save: (values: Values) => Promise<GatewayFailure | null>;
  /** Called instead of `save` if a field is wrong. */
  onWrong?: (errors: FieldErrors<Values>) => void;
  onClose: () => void;
  /** Further buttons, before the one that saves. `show` puts a failure at its field or above the buttons. */
  buttons?: (form: UseFormReturn<Values>, show: (failure: GatewayFailure | null) => void) => ReactNode;
  children: (form: UseFormReturn<Values>) => ReactNode;
}

/**
 * A dialog that creates or changes a resource: its fields, the failure, Cancel and Save. Fields are named as in
 * the request, so that an error of the gateway is shown at the field that it names.
 */
export function ResourceDialog<Values extends FieldValues>(props: ResourceDialogProps<Values>) {
  const { title, description, defaults, submitLabel, save, onWrong, onClose, buttons, children } = props;
  const form = useForm<Values>({ defaultValues: defaults });
  const { isSubmitting } = form.formState;
  const names = props.names ?? (Object.keys(defaults) as FieldPath<Values>[]);
  const { failure, attempt, show } = useSend({ names, setError: form.setError });
  const submit = form.handleSubmit(async (values) => {
    await attempt(() => save(values));
  }, onWrong);
  return (
    <FormDialog open busy={isSubmitting} onClose={onClose} title={title} description={description}>
      <form onSubmit={submit} noValidate autoComplete="off" className="space-y-4">
        <FormProvider {...form}>{children(form)}</FormProvider>
        {failure && <ErrorPanel error={failure} />}
        <FormActions>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          {buttons?.(form, show)}
          <Button type="submit" variant="primary" busy={isSubmitting}>
            {submitLabel}
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}

interface TextFieldProps<Values extends FieldValues>
  extends Pick<ComponentProps<typeof Field>, "label" | "hint">,
    Omit<ComponentProps<"input">, "form" | "name" | "ref" | "required" | "maxLength" | "className"> {
  form: UseFormReturn<Values>;
  name: FieldPath<Values>;
  rule: TextRule;
  /** Shown if the field is empty and the contract requires a text. */
  missing?: string;
  /** True if the request may omit the field, although the contract refuses an empty text. */
  optional?: boolean;
  /** A further check. Returns the problem, or true. */
  check?: (text: string) => string | true;
  /** In the font of code. */
  mono?: boolean;
  /** The height of a text with several lines. */
  rows?: number;
}

/** A text field. The contract decides its maximum length and whether it is required. */
export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const { form, name, rule, label, hint, missing, optional, check, mono, rows, ...input } = props;
  const required = !optional && refusesEmpty(rule);
  const validate = (text: string) => {
    const isMissing = required && text.trim() === "";
    if (isMissing && (missing || !check)) return missing ?? "Fill in this field.";
    return check?.(text) ?? true;
  };
  const shared = {
    autoComplete: "off",
    ...(mono && { className: "font-mono", spellCheck: false }),
    ...form.register(name, { validate }),
  };
  const error = form.getFieldState(name, form.formState).error?.message;
  return (
    <Field label={label} hint={hint} rule={rule} required={required} error={error}>
      {(aria) =>
        rows === undefined ? (
          <Input {...aria} {...shared} {...input} />
        ) : (
          <Textarea {...aria} {...shared} rows={rows} placeholder={input.placeholder} />
        )
      }
    </Field>
  );
}

interface ChosenProps<Values extends FieldValues, Name extends FieldPath<Values>> {
  form: UseFormReturn<Values>;
  name: Name;
  /** Shown if nothing is chosen. If omitted, the choice is optional. */
  missing?: string;
  children: (field: {
    value: FieldPathValue<Values, Name>;
    onChange: (value: FieldPathValue<Values, Name>) => void;
    error: string | undefined;
  }) => ReactNode;
}

/** A choice, such as a list of checkboxes, as a field of the form. */
export function Chosen<Values extends FieldValues, Name extends FieldPath<Values>>({
  form,
  name,
  missing,
  children,
}: ChosenProps<Values, Name>) {
  return (
    <Controller
      control={form.control}
      name={name}
      {...(missing !== undefined && {
        rules: { validate: (chosen: readonly unknown[]) => chosen.length > 0 || missing },
      })}
      render={({ field: { value, onChange }, fieldState: { error } }) => (
        <>{children({ value, onChange, error: error?.message })}</>
      )}
    />
  );
}
