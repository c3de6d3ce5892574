"use client";

import type { ComponentProps } from "react";
import { passwordMinLength, personFields } from "#contract/accounts/constants.ts";
import type { PasswordPerson } from "#contract/accounts/password-strength.ts";
import { useWords } from "@/components/words/use-words";
import { newPasswordProblem, preparePasswordRule } from "@/lib/browser/password-rule";
import type { Words } from "@/messages/words";
import { PasswordField } from "./password-field.tsx";

interface NewPasswordFieldProps {
  label?: string;
  error: string | undefined;
  /** Registers the field with its form. */
  input: ComponentProps<"input">;
}

/** A field for a new password, with its rule. */
export function NewPasswordField({ label, error, input }: NewPasswordFieldProps) {
  const t = useWords("fields");
  return (
    <PasswordField
      label={label ?? t("password")}
      rule={personFields.newPassword}
      hint={t("passwordHint", { count: passwordMinLength })}
      error={error}
      {...input}
      onFocus={preparePasswordRule}
      autoComplete="new-password"
    />
  );
}

/** The rule for `register`, the same as the gateway's. */
export function newPasswordRule<Values extends { password: string }>(
  t: Words<"fields">,
  personOf: (values: Values) => PasswordPerson,
) {
  return {
    validate: async (password: string, values: Values) =>
      (await newPasswordProblem(t, password, personOf(values))) ?? true,
  };
}
