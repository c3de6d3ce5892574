"use client";

import { useState } from "react";
import type { Role } from "#contract/accounts/constants.ts";
import type { PasswordReset } from "#contract/accounts/credentials.ts";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { Person } from "#contract/accounts/people.ts";
import type { Invitation, InvitationWithLink, Member } from "#contract/accounts/team.ts";
import { BudgetDialog } from "@/components/keys/budget-dialog";
import { useAccess } from "@/components/team/access";
import { InviteDialog, LinkDialog, RoleChoice } from "@/components/team/invite-dialog";
import type { InvitationAction, MemberAction } from "@/components/team/member-actions";
import { ResponsibleChoice } from "@/components/team/responsible-choice";
import { TakeOverDialog } from "@/components/team/take-over-dialog";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import type { ActionResult, GatewayFailure } from "@/lib/gateway/result";
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

/** Every dialog about a member or an invitation, then the link if the dialog created one. */
export function TeamDialogs({ question, accountName, members, onClose, onChanged }: TeamDialogsProps) {
  const { toast } = useToast();
  const { userId } = useAccess();
  const [link, setLink] = useState<Link | null>(null);
  const { busy, failure, send } = useSend();

  /** Makes a change. If it fails, the dialog stays open and shows the error. */
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
        {link.made.mailed && "The link is also sent to them by e-mail. "}
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
        {link.made.mailed && "The link is also sent to them by e-mail. "}
        They choose a new password with the link. The new password ends all their sessions; their second
        factor stays.
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
              ? "The old link stops working. The new one works for seven days."
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
        covers="These budgets cover their sessions and personal keys together."
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
        body="You get a link, which you send them over a channel that you trust. The link works once, for a day, and is recorded in the audit log. An earlier link stops working."
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

interface RoleDialogProps {
  member: Member;
  members: readonly Member[];
  busy: boolean;
  failure: GatewayFailure | null;
  /** `answersTo` becomes responsible for the member's service keys. Null leaves them unchanged. */
  onChange: (role: Role, answersTo: string | null) => void;
  onClose: () => void;
}

/** Explains the consequences of a new role for a member, and changes the role. */
function RoleDialog({ member, members, busy, failure, onChange, onClose }: RoleDialogProps) {
  const { userId, rolesWith } = useAccess();
  const others = useOtherResponsible(members, member);
  const [role, setRole] = useState(member.role);
  const [answersTo, setAnswersTo] = useState("");
  const isSelf = member.user_id === userId;
  const stopsAnswering = !rolesWith("attestations:answer").includes(role);
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isSelf ? "Change your own role" : `Change the role of ${member.name}`}
      confirmLabel="Change role"
      busy={busy}
      failure={failure}
      onConfirm={() =>
        role === member.role ? onClose() : onChange(role, stopsAnswering ? answersTo || null : null)
      }
      body={
        <div className="space-y-3">
          <RoleChoice value={role} onChange={setRole} />
          {role === "owner" && member.role !== "owner" && (
            <p>
              An owner can do everything, including removing you. To hand the account over, make this member
              an owner, and then change your own role or leave.
            </p>
          )}
          {isSelf && role !== member.role && <p>You cannot give yourself your current role back.</p>}
          {stopsAnswering && (
            <ResponsibleChoice
              subject={`${member.name} is`}
              keys={member.answers_for}
              others={others}
              value={answersTo}
              onChange={setAnswersTo}
            />
          )}
          <p>The new role takes effect within a second, also on open pages.</p>
        </div>
      }
    />
  );
}

/** The other members whose role allows them to be responsible for service keys. */
function useOtherResponsible(members: readonly Member[], { user_id: without }: Member): Person[] {
  const able = useAccess().rolesWith("attestations:answer");
  return members
    .filter(({ user_id: id, role }) => id !== without && able.includes(role))
    .map(({ user_id: id, name }) => ({ id, name }));
}

interface RemoveDialogProps {
  member: Member;
  members: readonly Member[];
  accountName: string;
  leaving: boolean;
  busy: boolean;
  failure: GatewayFailure | null;
  onRemove: (answersTo: string | null) => void;
  onClose: () => void;
}

/** Removes a member, or lets a person leave. Shows what ends and what stays. */
function RemoveDialog(props: RemoveDialogProps) {
  const { member, members, accountName, leaving, busy, failure, onRemove, onClose } = props;
  const [answersTo, setAnswersTo] = useState("");
  const others = useOtherResponsible(members, member);
  const whose = leaving ? "Your" : "Their";
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={leaving ? `Leave ${accountName}?` : `Remove ${member.name}?`}
      confirmLabel={leaving ? "Leave" : "Remove member"}
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={() => onRemove(answersTo || null)}
      body={
        <div className="space-y-3">
          <div>
            <p className="font-medium text-ink">Ends within a second</p>
            <ul className="list-disc pl-5">
              <li>{whose} sessions in this account, open pages and streams included</li>
              <li>{whose} personal keys</li>
              <li>Invitation and reset links that {leaving ? "you" : "they"} made</li>
            </ul>
          </div>
          <div>
            <p className="font-medium text-ink">Stays</p>
            <ul className="list-disc pl-5">
              <li>Predictions, uploads and deliveries, with {leaving ? "your" : "their"} name</li>
              <li>Service keys</li>
            </ul>
          </div>
          <ResponsibleChoice
            subject={leaving ? "You are" : `${member.name} is`}
            keys={member.answers_for}
            others={others}
            value={answersTo}
            onChange={setAnswersTo}
          />
          <p>To come back {leaving ? "you need" : "they need"} a new invitation.</p>
        </div>
      }
    />
  );
}
