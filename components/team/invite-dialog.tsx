"use client";

import { useForm } from "react-hook-form";
import { personLimits } from "#contract/accounts/account-constants.ts";
import { readEmail, resembles } from "#contract/accounts/email-address.ts";
import type { InvitationCreate, InvitationWithLink } from "#contract/accounts/invitations.ts";
import type { Member } from "#contract/accounts/members.ts";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { FormActions } from "@/components/ui/form/form-actions";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { Input } from "@/components/ui/form/input";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { answerOf } from "@/lib/browser/action-answer";
import { invite } from "@/lib/gateway/secret-actions";
import { RoleChoice } from "./role-choice.tsx";

interface InviteDialogProps {
  members: readonly Member[];
  onInvited: (invitation: InvitationWithLink) => void;
  onClose: () => void;
}

export function InviteDialog({ members, onInvited, onClose }: InviteDialogProps) {
  const form = useForm<InvitationCreate>({ defaultValues: { email: "", role: "member" } });
  const { failure, send } = useSend({ names: ["email"], setError: form.setError });
  const { errors, isSubmitting } = form.formState;
  const role = form.watch("role");
  const alike = memberAlike(form.watch("email"), members);

  const submit = form.handleSubmit(async (values) => {
    const answer = await send(() => answerOf(invite(values)));
    if (answer.ok) onInvited(answer.data);
  });

  return (
    <FormDialog
      open
      busy={isSubmitting}
      onClose={onClose}
      title="Invite somebody"
      description="You get a link to send them."
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
                validate: (email) => {
                  const read = readEmail(email);
                  return "fault" in read ? read.fault : true;
                },
              })}
              type="email"
              maxLength={personLimits.emailLength}
              autoComplete="off"
            />
          )}
        </Field>
        {alike && (
          <p role="status" className="rounded-control bg-warn-soft p-3 text-ink wrap-anywhere">
            This address looks like that of {alike.name}, <b>{alike.email}</b>, but is a different one. Check
            it before you send the link.
          </p>
        )}
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

/** A member whose address could be mistaken for this one. */
function memberAlike(text: string, members: readonly Member[]): Member | undefined {
  const read = readEmail(text);
  if ("fault" in read) return undefined;
  return members.find(({ email }) => email !== null && resembles(read.address, email));
}
