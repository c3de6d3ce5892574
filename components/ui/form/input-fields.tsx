import type { ComponentProps } from "react";
import { classNames } from "../looks.ts";
import { Field, type FieldProps } from "./field.tsx";
import { Input, Select, Textarea } from "./input.tsx";

/** Properties of a field together with its control. */
export interface LabelledProps extends Omit<FieldProps, "children"> {
  /** Gets the new text, or the chosen option. */
  onValue?: ((value: string) => void) | undefined;
  /** In the font of code. */
  mono?: boolean | undefined;
  /** Classes of the control. `className` are those of the whole field. */
  look?: string | undefined;
}

type ControlProps<Tag extends "input" | "textarea" | "select"> = LabelledProps &
  Omit<ComponentProps<Tag>, keyof LabelledProps | "children">;

/** What the field takes, and what its control takes. */
export function splitField<Rest extends object>(props: LabelledProps & Rest) {
  const { label, hint, error, rule, required, hideLabel, className, onValue, mono, look, ...rest } = props;
  return {
    field: { label, hint, error, rule, required, hideLabel, className },
    control: {
      ...rest,
      ...(onValue && {
        onChange: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value),
      }),
      ...(mono && { spellCheck: false }),
      className: classNames(mono && "font-mono", look),
    },
  };
}

/** A field for a text in one line. */
export function InputField(props: ControlProps<"input">) {
  const { field, control } = splitField(props);
  return <Field {...field}>{(aria) => <Input {...aria} {...control} />}</Field>;
}

/** A field for a text with several lines. */
export function TextareaField(props: ControlProps<"textarea">) {
  const { field, control } = splitField(props);
  return <Field {...field}>{(aria) => <Textarea {...aria} {...control} />}</Field>;
}

interface SelectFieldProps<Value extends string> extends Omit<ControlProps<"select">, "onValue"> {
  /** Values with their labels. A value without a label is shown itself. */
  options: Iterable<Value | readonly [value: Value, label: string]>;
  onValue?: (value: Value) => void;
}

/** A field with one choice of a list. */
export function SelectField<Value extends string>({ options, ...props }: SelectFieldProps<Value>) {
  const { field, control } = splitField(props as ControlProps<"select">);
  return (
    <Field {...field}>
      {(aria) => (
        <Select {...aria} {...control}>
          {Array.from(options, (option) => {
            const [value, label] = typeof option === "string" ? [option, option] : option;
            return (
              <option key={value} value={value}>
                {label}
              </option>
            );
          })}
        </Select>
      )}
    </Field>
  );
}
