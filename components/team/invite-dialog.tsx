"use client";

import { useState } from "react";
import { useForm } from "react-hook-form";
import type { InvitationCreate, InvitationWithLink } from "#contract/invitations.ts";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/error-panel";
import { Field } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { FormDialog } from "@/components/ui/form-dialog";
import { Input } from "@/components/ui/input";
import { settled } from "@/lib/browser/settled";
import type { Acting, GatewayFailure } from "@/lib/gateway/result";
import { RoleChoice } from "./role-choice.tsx";

interface InviteDialogProps {
  invite: (body: InvitationCreate) => Acting<InvitationWithLink>;
  onInvited: (invitation: InvitationWithLink) => void;
  onClose: () => void;
}

export function InviteDialog({ invite, onInvited, onClose }: InviteDialogProps) {
  const form = useForm<InvitationCreate>({ defaultValues: { email: "", role: "member" } });
  const [failure, show] = useState<GatewayFailure | null>(null);
  const { errors, isSubmitting } = form.formState;
  const role = form.watch("role");

  const submit = form.handleSubmit(async (values) => {
    show(null);
    const answer = await settled(invite({ ...values, email: values.email.trim() }));
    if (answer.ok) onInvited(answer.data);
    else if (answer.error.param === "email")
      form.setError("email", { message: answer.error.message }, { shouldFocus: true });
    else show(answer.error);
  });

  return (
    <FormDialog
      open
      busy={isSubmitting}
      onClose={onClose}
      title="Invite somebody"
      description="You get a link to send them; Gatehouse sends no mail."
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        <Field
          label="E-mail"
          required
          hint="The invitation is for this address only."
          error={errors.email?.message}
        >
          {(aria) => (
            <Input
              {...aria}
              {...form.register("email", {
                validate: (email) =>
                  /^[^@\s]+@[^@\s]+$/.test(email.trim()) || "Enter an address like name@example.com.",
              })}
              type="email"
              maxLength={254}
              autoComplete="off"
            />
          )}
        </Field>
        <RoleChoice value={role} onChange={(next) => form.setValue("role", next)} />
        {failure && <ErrorPanel error={failure} />}
        <FormActions>
          <Button onClick={onClose} disabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Create link
          </Button>
        </FormActions>
      </form>
    </FormDialog>
  );
}
