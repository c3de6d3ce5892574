"use client";

import { useState } from "react";
import type { Invitation, InvitationWithLink } from "#contract/accounts/invitations.ts";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { Member } from "#contract/accounts/members.ts";
import type { PasswordReset } from "#contract/accounts/passwords.ts";
import { BudgetDialog } from "@/components/keys/budget-dialog";
import { useAccess } from "@/components/team/access";
import type { InvitationAction } from "@/components/team/invitation-actions";
import { InviteDialog } from "@/components/team/invite-dialog";
import { LinkDialog } from "@/components/team/link-dialog";
import type { MemberAction } from "@/components/team/member-actions";
import { RemoveDialog } from "@/components/team/remove-dialog";
import { RoleDialog } from "@/components/team/role-dialog";
import { TakeOverDialog } from "@/components/team/take-over-dialog";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import type { ActionResult } from "@/lib/gateway/result";
import { makeResetLink, renewLink } from "@/lib/gateway/secret-actions";
import { handOverKeys } from "@/lib/team/actions";
import { roleLabels } from "@/lib/team/roles";

export type TeamQuestion =
  | { about: "invite" }
  | { about: "take-over"; key: ApiKey }
  | { about: MemberAction; member: Member }
  | { about: InvitationAction; invitation: Invitation };

interface TeamDialogsProps {
  question: TeamQuestion;
  accountName: string;
  members: readonly Member[];
  onClose: () => void;
  onChanged: () => void;
}

type Link = { kind: "invitation"; made: InvitationWithLink } | { kind: "reset"; made: PasswordReset };

/** Every dialog about a member or an invitation, then the link if one was made. */
export function TeamDialogs({ question, accountName, members, onClose, onChanged }: TeamDialogsProps) {
  const { toast } = useToast();
  const { userId } = useAccess();
  const [link, setLink] = useState<Link | null>(null);
  const { busy, failure, send } = useSend();

  /** Runs a change; on failure the dialog stays open and shows it. */
  const change = async <Data,>(call: ActionResult<Data>): Promise<Data | undefined> => {
    const answer = await send(() => answerOf(call));
    return answer.ok ? answer.data : undefined;
  };
  const finish = (title: string) => {
    toast({ title });
    onClose();
    onChanged();
  };
  /** Hands over the member's service keys first, so that no key is left without a responsible person. */
  const handedOver = async ({ answers_for: keys }: Member, to: string | null) =>
    to === null ||
    (await change(
      handOverKeys(
        keys.map(({ id }) => id),
        to,
      ),
    )) !== undefined;

  if (link?.kind === "invitation")
    return (
      <LinkDialog
        title="Send them this link"
        url={link.made.url}
        expiresAt={link.made.expires_at}
        onClose={onClose}
      >
        {link.made.mailed && "It goes to them by e-mail, too. "}
        Only {link.made.email} can join with it, as {roleLabels[link.made.role].toLowerCase()}.
      </LinkDialog>
    );
  if (link?.kind === "reset")
    return (
      <LinkDialog
        title="Send them this link"
        url={link.made.url}
        expiresAt={link.made.expires_at}
        onClose={onClose}
      >
        {link.made.mailed && "It goes to them by e-mail, too. "}
        They choose a new password with it. That ends all of their sessions; a second factor stays.
      </LinkDialog>
    );
  const made = (next: Link) => {
    setLink(next);
    onChanged();
  };
  if (question.about === "invite")
    return (
      <InviteDialog
        members={members}
        onInvited={(invitation) => made({ kind: "invitation", made: invitation })}
        onClose={onClose}
      />
    );

  if (question.about === "take-over")
    return (
      <TakeOverDialog
        apiKey={question.key}
        userId={userId ?? ""}
        onTaken={() => finish(`You are responsible for “${question.key.name}” now`)}
        onClose={onClose}
      />
    );

  const confirm = { open: true, onOpenChange: onClose, busy, failure };
  if ("invitation" in question) {
    const { id, email, state } = question.invitation;
    if (question.about === "renew")
      return (
        <ConfirmDialog
          {...confirm}
          title={`New link for ${email}?`}
          body={
            state === "open"
              ? "The link that they have stops working. The new one works for seven days."
              : "The new link works for seven days."
          }
          confirmLabel="Create new link"
          onConfirm={async () => {
            const renewed = await change(renewLink(id));
            if (renewed) made({ kind: "invitation", made: renewed });
          }}
        />
      );
    return (
      <ConfirmDialog
        {...confirm}
        title={`Revoke the invitation of ${email}?`}
        body="The link stops working at once. You can create a new one later."
        confirmLabel="Revoke invitation"
        tone="bad"
        onConfirm={async () => {
          if (await change(act("DELETE /account/invitations/{id}", { params: { id } })))
            finish("Invitation revoked");
        }}
      />
    );
  }

  const { about, member } = question;
  const of = { params: { user_id: member.user_id } };
  if (about === "role")
    return (
      <RoleDialog
        member={member}
        members={members}
        busy={busy}
        failure={failure}
        onClose={onClose}
        onChange={async (role, answersTo) => {
          const changeRole = () => act("PATCH /account/members/{user_id}", { ...of, body: { role } });
          if ((await handedOver(member, answersTo)) && (await change(changeRole())))
            finish(`${member.name} is ${roleLabels[role].toLowerCase()} now`);
        }}
      />
    );
  if (about === "budget")
    return (
      <BudgetDialog
        holder={member}
        covers="Of their sessions and personal keys together."
        save={(budgets) => act("PATCH /account/members/{user_id}", { ...of, body: budgets })}
        onSaved={() => finish(`Budgets of ${member.name} saved`)}
        onClose={onClose}
      />
    );
  if (about === "reset")
    return (
      <ConfirmDialog
        {...confirm}
        title={`Password reset link for ${member.name}?`}
        body="You get a link to send them, over a channel that you trust. It works once, for a day, and shows in the audit log. An earlier link stops working."
        confirmLabel="Create link"
        onConfirm={async () => {
          const reset = await change(makeResetLink(member.user_id));
          if (reset) made({ kind: "reset", made: reset });
        }}
      />
    );
  if (about === "sessions")
    return (
      <ConfirmDialog
        {...confirm}
        title={`End the sessions of ${member.name}?`}
        body="They are signed out everywhere within a second and can sign in again. Their keys keep working."
        confirmLabel="End sessions"
        tone="bad"
        onConfirm={async () => {
          const ended = await change(act("DELETE /account/members/{user_id}/sessions", of));
          if (ended) finish(`Ended ${formatCount(ended.ended, "session")}`);
        }}
      />
    );
  return (
    <RemoveDialog
      member={member}
      members={members}
      accountName={accountName}
      leaving={about === "leave"}
      busy={busy}
      failure={failure}
      onClose={onClose}
      onRemove={async (answersTo) => {
        if (!(await handedOver(member, answersTo))) return;
        if (!(await change(act("DELETE /account/members/{user_id}", of)))) return;
        if (about === "leave") location.assign("/");
        else finish(`${member.name} was removed`);
      }}
    />
  );
}
