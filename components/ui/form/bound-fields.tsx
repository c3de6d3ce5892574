"use client";

import type { ComponentProps, ReactNode } from "react";
import {
  Controller,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
} from "react-hook-form";
import { useWords } from "#words";
import type { Words } from "@/messages/words";
import { refusesEmpty } from "./field.tsx";
import { InputField, TextareaField } from "./input-fields.tsx";

interface BoundTo<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  name: FieldPath<Values>;
}

type TextFieldProps<Values extends FieldValues> = BoundTo<Values> &
  Omit<ComponentProps<typeof InputField>, "form" | "name" | "ref" | "error" | "maxLength"> & {
    /** Shown if the field is empty and the contract requires a text. */
    missing?: string;
    /** True if the request may omit the field, although the contract refuses an empty text. */
    optional?: boolean;
    /** A further check. Returns the problem, if any. */
    check?: (text: string, values: Values) => string | true | null | undefined;
    /** The height of a text with several lines. */
    rows?: number;
  };

/** A text field. The contract's `rule` decides its maximum length and whether it is required. */
export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const t = useWords("ui");
  const { form, name, missing, optional, check, rows, onValue, ...rest } = props;
  const required = rest.required ?? (!optional && rest.rule !== undefined && refusesEmpty(rest.rule));
  const validate = (text: string, values: Values) => {
    const isMissing = required && text.trim() === "";
    if (isMissing && (missing || !check)) return missing ?? t("fillIn");
    return check?.(text, values) ?? true;
  };
  const field = {
    autoComplete: "off",
    ...rest,
    required,
    ...form.register(name, { validate, ...(onValue && { onChange: ({ target }) => onValue(target.value) }) }),
    error: form.getFieldState(name, form.formState).error?.message,
  };
  return rows === undefined ? (
    <InputField {...field} />
  ) : (
    <TextareaField {...(field as ComponentProps<typeof TextareaField>)} rows={rows} />
  );
}

interface NumberBounds {
  minimum: number;
  maximum: number;
}

/** Why a text is not a whole number within its bounds, or true. An empty field is valid. */
export function numberProblem(
  t: Words<"ui">,
  text: string,
  { minimum, maximum }: NumberBounds,
): string | true {
  if (text.trim() === "") return true;
  const number = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return number >= minimum && number <= maximum
    ? true
    : t("wholeNumber", { minimum: String(minimum), maximum });
}

type NumberFieldProps<Values extends FieldValues> = Omit<TextFieldProps<Values>, "rule" | "check"> & {
  bounds: NumberBounds;
};

/** A field for a whole number within the contract's bounds. It may be empty. */
export function NumberField<Values extends FieldValues>({ bounds, ...props }: NumberFieldProps<Values>) {
  const t = useWords("ui");
  return <TextField {...props} check={(text) => numberProblem(t, text, bounds)} inputMode="numeric" />;
}

interface ChosenProps<Values extends FieldValues, Name extends FieldPath<Values>> {
  form: UseFormReturn<Values>;
  name: Name;
  /** Shown if nothing is chosen. If omitted, the choice is optional. */
  missing?: string;
  /** A further check. Returns the problem, or true. */
  check?: (chosen: FieldPathValue<Values, Name>, values: Values) => string | true;
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
  check,
  children,
}: ChosenProps<Values, Name>) {
  return (
    <Controller
      control={form.control}
      name={name}
      rules={{
        validate: (chosen, values) =>
          missing !== undefined && chosen.length === 0 ? missing : (check?.(chosen, values) ?? true),
      }}
      render={({ field: { value, onChange }, fieldState: { error } }) => (
        <>{children({ value, onChange, error: error?.message })}</>
      )}
    />
  );
}
