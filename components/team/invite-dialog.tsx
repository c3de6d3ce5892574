"use client";

import { personFields } from "#contract/accounts/account-constants.ts";
import { readEmail, resembles } from "#contract/accounts/email-address.ts";
import type { InvitationCreate, InvitationWithLink } from "#contract/accounts/invitations.ts";
import type { Member } from "#contract/accounts/members.ts";
import { Chosen, ResourceDialog, TextField } from "@/components/ui/form/resource-dialog";
import { settle } from "@/lib/browser/action-answer";
import { invite } from "@/lib/gateway/secret-actions";
import { RoleChoice } from "./role-choice.tsx";

interface InviteDialogProps {
  members: readonly Member[];
  onInvited: (invitation: InvitationWithLink) => void;
  onClose: () => void;
}

export function InviteDialog({ members, onInvited, onClose }: InviteDialogProps) {
  return (
    <ResourceDialog<InvitationCreate>
      title="Invite somebody"
      description="You get a link to send them."
      defaults={{ email: "", role: "member" }}
      submitLabel="Create link"
      save={(values) => settle(invite(values), onInvited)}
      onClose={onClose}
    >
      {(form) => {
        const alike = memberAlike(form.watch("email"), members);
        return (
          <>
            <TextField
              form={form}
              name="email"
              rule={personFields.email}
              label="E-mail"
              hint="The invitation is for this address only."
              check={(email) => {
                const read = readEmail(email);
                return "fault" in read ? read.fault : true;
              }}
              type="email"
            />
            {alike && (
              <p role="status" className="rounded-control bg-warn-soft p-3 text-ink wrap-anywhere">
                This address looks like that of {alike.name}, <b>{alike.email}</b>, but is a different one.
                Check it before you send the link.
              </p>
            )}
            <Chosen form={form} name="role">
              {({ value, onChange }) => <RoleChoice value={value} onChange={onChange} />}
            </Chosen>
          </>
        );
      }}
    </ResourceDialog>
  );
}

/** A member whose address could be mistaken for this one. */
function memberAlike(text: string, members: readonly Member[]): Member | undefined {
  const read = readEmail(text);
  if ("fault" in read) return undefined;
  return members.find(({ email }) => email !== null && resembles(read.address, email));
}
