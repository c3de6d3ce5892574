"use client";

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { IconButton } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";
import { type InputField, splitField } from "@/components/ui/form/input-fields";
import { classNames } from "@/components/ui/looks";
import { useWords } from "@/components/words/use-words";

interface PasswordFieldProps extends Omit<ComponentProps<typeof InputField>, "type"> {
  /** The kind of secret, for the button's label. */
  what?: "password" | "key" | "token" | "current";
}

/** A field for a secret to type or paste, with a button that shows it. */
export function PasswordField({ what = "password", ...props }: PasswordFieldProps) {
  const t = useWords("fields");
  const [shown, setShown] = useState(false);
  const { field, control } = splitField(props);
  return (
    <Field {...field}>
      {(aria) => (
        <span className="relative flex">
          <Input
            {...aria}
            {...control}
            className={classNames("pr-10!", control.className)}
            type={shown ? "text" : "password"}
            spellCheck={false}
            autoCapitalize="none"
          />
          <IconButton
            size="sm"
            className="absolute inset-y-0 right-0.5 my-auto"
            label={t(shown ? "hide" : "show", { what })}
            icon={shown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
            onClick={() => setShown(!shown)}
          />
        </span>
      )}
    </Field>
  );
}
