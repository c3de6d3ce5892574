import { personFields } from "#contract/accounts/account-constants.ts";
import type { Proof } from "#contract/accounts/second-factor.ts";
import { PasswordInput } from "@/components/auth/password-input";
import { Field } from "@/components/ui/form/field";
import { Input } from "@/components/ui/form/input";

/** Asks for the password, or for a code if there is none. */
export function ProofFields({ hasPassword }: { hasPassword: boolean }) {
  return hasPassword ? (
    <Field label="Your password" required hint="To confirm that it is you.">
      {(aria) => <PasswordInput {...aria} name="proof-password" autoComplete="current-password" />}
    </Field>
  ) : (
    <Field
      label="Code"
      rule={personFields.code}
      hint="From your authenticator app, or a recovery code, to confirm that it is you."
    >
      {(aria) => <Input {...aria} name="proof-code" autoComplete="one-time-code" className="font-mono" />}
    </Field>
  );
}

/** The typed proof; undefined if the fields were not shown. */
export function proofOf(form: HTMLFormElement): Proof | undefined {
  const typed = new FormData(form);
  const [password, code] = [typed.get("proof-password"), typed.get("proof-code")];
  if (typeof password === "string") return { password };
  return typeof code === "string" ? { code: code.trim() } : undefined;
}
