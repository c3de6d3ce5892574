import type { ComponentProps } from "react";
import { Field } from "@/components/ui/form/field";
import { Textarea } from "@/components/ui/form/input";

interface OutputOriginsFieldProps {
  problem: string | undefined;
  input: ComponentProps<typeof Textarea>;
}

/** Where an upstream on a private network may store its outputs. */
export function OutputOriginsField({ problem, input }: OutputOriginsFieldProps) {
  return (
    <Field
      label="Origins of outputs"
      hint="Only needed if results are on another private server. One origin per line, such as http://10.0.0.5:9000."
      error={problem}
    >
      {(aria) => <Textarea {...aria} {...input} rows={2} className="font-mono" spellCheck={false} />}
    </Field>
  );
}
