import type { FormEvent, ReactNode } from "react";
import { personFields } from "#contract/accounts/constants.ts";
import type { Proof } from "#contract/accounts/second-factor.ts";
import { useWords } from "#words";
import { PasswordField } from "@/components/auth/password-field";
import { Button } from "@/components/ui/button";
import { FormActions, FormDialog } from "@/components/ui/form/form-dialog";
import { InputField } from "@/components/ui/form/input-fields";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import type { GatewayFailure } from "@/lib/gateway/result";

interface ChangeDialogProps {
  title: string;
  description?: ReactNode;
  submitLabel: string;
  tone?: "primary" | "danger";
  /** Requests the password first, or a code if there is no password. */
  proof: { needed: boolean; hasPassword: boolean };
  busy: boolean;
  failure: GatewayFailure | null;
  onSubmit: (form: HTMLFormElement) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Changes how a person signs in: the fields, a proof of identity, and the failure. */
export function ChangeDialog(props: ChangeDialogProps) {
  const t = useWords("profile");
  const { title, description, submitLabel, tone = "primary", proof, busy, failure, children } = props;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!busy) props.onSubmit(event.currentTarget);
  };
  return (
    <FormDialog open size="sm" title={title} description={description} busy={busy} onClose={props.onClose}>
      <form method="post" onSubmit={submit} className="flex flex-col gap-4">
        {failure && <ErrorPanel error={failure} />}
        {children}
        {proof.needed && <ProofFields hasPassword={proof.hasPassword} />}
        <FormActions>
          <Button onClick={props.onClose} disabled={busy}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant={tone} busy={busy}>
            {submitLabel}
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}

/** Requests the password, or a code if there is no password. */
export function ProofFields({ hasPassword }: { hasPassword: boolean }) {
  const t = useWords("profile");
  return hasPassword ? (
    <PasswordField
      label={t("yourPassword")}
      required
      hint={t("confirmsThatItIsYou")}
      name="proof-password"
      autoComplete="current-password"
    />
  ) : (
    <InputField
      label={t("code")}
      rule={personFields.code}
      hint={t("enterACodeFromYour")}
      name="proof-code"
      autoComplete="one-time-code"
      mono
    />
  );
}

/** The typed proof. Undefined if the fields were not shown. */
export function proofOf(form: HTMLFormElement): Proof | undefined {
  const typed = new FormData(form);
  const [password, code] = [typed.get("proof-password"), typed.get("proof-code")];
  if (typeof password === "string") return { password };
  return typeof code === "string" ? { code: code.trim() } : undefined;
}
