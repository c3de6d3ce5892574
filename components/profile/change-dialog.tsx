import type { FormEvent, ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import type { GatewayFailure } from "@/lib/gateway/result";
import { ProofFields } from "./proof-fields.tsx";

interface ChangeDialogProps {
  title: string;
  description?: ReactNode;
  submitLabel: string;
  tone?: "primary" | "danger";
  /** Asks for the password first, or for a code if there is none. */
  proof: { needed: boolean; hasPassword: boolean };
  busy: boolean;
  failure: GatewayFailure | null;
  onSubmit: (form: HTMLFormElement) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Changes how somebody signs in: the fields, a proof of identity, and the failure. */
export function ChangeDialog(props: ChangeDialogProps) {
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
            Cancel
          </Button>
          <Button type="submit" variant={tone} busy={busy}>
            {submitLabel}
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}
