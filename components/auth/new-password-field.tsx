"use client";

import type { ComponentProps } from "react";
import { passwordMinLength, personFields } from "#contract/accounts/constants.ts";
import type { PasswordPerson } from "#contract/accounts/password-strength.ts";
import { newPasswordProblem, preparePasswordRule } from "@/lib/browser/password-rule";
import { PasswordField } from "./password-field.tsx";

interface NewPasswordFieldProps {
  label?: string;
  error: string | undefined;
  /** Registers the field with its form. */
  input: ComponentProps<"input">;
}

/** A field for a new password, with its rule. */
export function NewPasswordField({ label = "Password", error, input }: NewPasswordFieldProps) {
  return (
    <PasswordField
      label={label}
      rule={personFields.newPassword}
      hint={`At least ${passwordMinLength} characters, and not easy to guess. Four unrelated words work well.`}
      error={error}
      {...input}
      onFocus={preparePasswordRule}
      autoComplete="new-password"
    />
  );
}

/** The rule for `register`, the same as the gateway's. */
export function newPasswordRule<Values extends { password: string }>(
  personOf: (values: Values) => PasswordPerson,
) {
  return {
    validate: async (password: string, values: Values) =>
      (await newPasswordProblem(password, personOf(values))) ?? true,
  };
}
