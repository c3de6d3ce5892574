import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "@/components/ui/form/field";
import { Textarea } from "@/components/ui/form/input";

interface OriginsFieldProps {
  input: UseFormRegisterReturn;
  error?: string | undefined;
}

/** The origins of pages that use a key directly, one per line. */
export function OriginsField({ input, error }: OriginsFieldProps) {
  return (
    <Field
      label="Allowed origins"
      hint="For keys used in web pages: the origins of the pages, one per line. Anyone who opens such a page can read the key, so give it few models, a low rate and a budget."
      error={error}
    >
      {(aria) => (
        <Textarea
          {...aria}
          {...input}
          rows={2}
          className="font-mono"
          placeholder="https://app.example.com"
          spellCheck={false}
        />
      )}
    </Field>
  );
}
