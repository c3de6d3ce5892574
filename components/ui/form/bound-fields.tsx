"use client";

import type { ComponentProps, ReactNode } from "react";
import {
  Controller,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
} from "react-hook-form";
import { Field, refusesEmpty, type TextRule } from "./field.tsx";
import { Input, Textarea } from "./input.tsx";

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

interface NumberBounds {
  minimum: number;
  maximum: number;
}

/** Why a text is not a whole number within its bounds, or true. An empty field is valid. */
export function numberProblem(text: string, { minimum, maximum }: NumberBounds): string | true {
  if (text.trim() === "") return true;
  const number = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return number >= minimum && number <= maximum
    ? true
    : `Enter a whole number from ${minimum} to ${maximum.toLocaleString("en")}.`;
}

type NumberFieldProps<Values extends FieldValues> = Omit<TextFieldProps<Values>, "rule" | "check"> & {
  bounds: NumberBounds;
};

/** A field for a whole number within the contract's bounds. It may be empty. */
export function NumberField<Values extends FieldValues>({ bounds, ...props }: NumberFieldProps<Values>) {
  return <TextField {...props} rule={{}} check={(text) => numberProblem(text, bounds)} inputMode="numeric" />;
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
