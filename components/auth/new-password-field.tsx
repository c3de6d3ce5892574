"use client";

import type { ComponentProps } from "react";
import { passwordMaxLength, passwordMinLength } from "#contract/account-constants.ts";
import { Field } from "@/components/ui/field";
import { PasswordInput } from "./password-input.tsx";

interface NewPasswordFieldProps {
  label?: string;
  error: string | undefined;
  /** What ties the field to its form. */
  input: ComponentProps<"input">;
}

/** A password to choose, with its rule. */
export function NewPasswordField({ label = "Password", error, input }: NewPasswordFieldProps) {
  return (
    <Field
      label={label}
      required
      hint={`At least ${passwordMinLength} characters, and not a common password. Four unrelated words work well.`}
      error={error}
    >
      {(aria) => (
        <PasswordInput {...aria} {...input} maxLength={passwordMaxLength} autoComplete="new-password" />
      )}
    </Field>
  );
}

/** The rule for `register`; the gateway also refuses common ones. */
export const newPasswordRule = {
  required: "Choose a password.",
  minLength: { value: passwordMinLength, message: `Use at least ${passwordMinLength} characters.` },
};
