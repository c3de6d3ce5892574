"use client";

import { useState } from "react";
import type { Role } from "#contract/accounts/constants.ts";
import type { PasswordReset } from "#contract/accounts/credentials.ts";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { Person } from "#contract/accounts/people.ts";
import type { Invitation, InvitationWithLink, Member } from "#contract/accounts/team.ts";
import { useWords } from "#words";
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
import { act } from "@/lib/gateway/act";
import type { ActionResult, GatewayFailure } from "@/lib/gateway/result";
import { makeResetLink, renewLink } from "@/lib/gateway/secret-actions";
import { handOverKeys } from "@/lib/team/actions";

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
  const t = useWords("team");
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
        title={t("sendThemThisLink")}
        url={link.made.url}
        expiresAt={link.made.expires_at}
        onClose={onClose}
      >
        {t("onlyTheyCanJoin", {
          isMailed: link.made.mailed ? "yes" : "no",
          email: link.made.email,
          role: link.made.role,
        })}
      </LinkDialog>
    );
  if (link?.kind === "reset")
    return (
      <LinkDialog
        title={t("sendThemThisLink")}
        url={link.made.url}
        expiresAt={link.made.expires_at}
        onClose={onClose}
      >
        {t("theyChooseAPassword", { isMailed: link.made.mailed ? "yes" : "no" })}
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
        onTaken={() => finish(t("youAreResponsible", { name: question.key.name }))}
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
          title={t("newLinkFor", { email })}
          body={state === "open" ? t("theOldLinkStopsWorking") : t("theNewLinkWorksFor")}
          confirmLabel={t("createNewLink")}
          onConfirm={async () => {
            const renewed = await change(renewLink(id));
            if (renewed) made({ kind: "invitation", made: renewed });
          }}
        />
      );
    return (
      <ConfirmDialog
        {...confirm}
        title={t("revokeInvitationOf", { email })}
        body={t("theLinkStopsWorkingAt")}
        confirmLabel={t("revokeInvitation")}
        tone="bad"
        onConfirm={async () => {
          if (await change(act("DELETE /account/invitations/{id}", { params: { id } })))
            finish(t("invitationRevoked"));
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
            finish(t("memberIsNow", { name: member.name, role }));
        }}
      />
    );
  if (about === "budget")
    return (
      <BudgetDialog
        holder={member}
        covers={t("theseBudgetsCoverTheirSessions")}
        save={(budgets) => act("PATCH /account/members/{user_id}", { ...of, body: budgets })}
        onSaved={() => finish(t("budgetsSaved", { name: member.name }))}
        onClose={onClose}
      />
    );
  if (about === "reset")
    return (
      <ConfirmDialog
        {...confirm}
        title={t("resetLinkFor", { name: member.name })}
        body={t("youGetALinkWhich")}
        confirmLabel={t("createLink")}
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
        title={t("endSessionsOf", { name: member.name })}
        body={t("theyAreSignedOutEverywhere")}
        confirmLabel={t("endSessions")}
        tone="bad"
        onConfirm={async () => {
          const ended = await change(act("DELETE /account/members/{user_id}/sessions", of));
          if (ended) finish(t("sessionsEnded", { count: ended.ended }));
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
        else finish(t("memberRemoved", { name: member.name }));
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
  const t = useWords("team");
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
      title={isSelf ? t("changeYourOwnRole") : t("changeRoleOf", { name: member.name })}
      confirmLabel={t("changeRole")}
      busy={busy}
      failure={failure}
      onConfirm={() =>
        role === member.role ? onClose() : onChange(role, stopsAnswering ? answersTo || null : null)
      }
      body={
        <div className="space-y-3">
          <RoleChoice value={role} onChange={setRole} />
          {role === "owner" && member.role !== "owner" && <p>{t("anOwnerCanDoEverything")}</p>}
          {isSelf && role !== member.role && <p>{t("youCannotGiveYourselfYour")}</p>}
          {stopsAnswering && (
            <ResponsibleChoice
              name={member.name}
              keys={member.answers_for}
              others={others}
              value={answersTo}
              onChange={setAnswersTo}
            />
          )}
          <p>{t("theNewRoleTakesEffect")}</p>
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
  const t = useWords("team");
  const { member, members, accountName, leaving, busy, failure, onRemove, onClose } = props;
  const [answersTo, setAnswersTo] = useState("");
  const others = useOtherResponsible(members, member);
  const who = leaving ? "self" : "member";
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={leaving ? t("leaveName", { name: accountName }) : t("removeName", { name: member.name })}
      confirmLabel={leaving ? t("leave") : t("removeMember")}
      tone="bad"
      busy={busy}
      failure={failure}
      onConfirm={() => onRemove(answersTo || null)}
      body={
        <div className="space-y-3">
          <div>
            <p className="font-medium text-ink">{t("endsWithinASecond")}</p>
            <ul className="list-disc pl-5">
              <li>{t("sessionsEnd", { who })}</li>
              <li>{t("personalKeysEnd", { who })}</li>
              <li>{t("linksEnd", { who })}</li>
            </ul>
          </div>
          <div>
            <p className="font-medium text-ink">{t("stays")}</p>
            <ul className="list-disc pl-5">
              <li>{t("runsStay", { who })}</li>
              <li>{t("serviceKeys")}</li>
            </ul>
          </div>
          <ResponsibleChoice
            name={leaving ? null : member.name}
            keys={member.answers_for}
            others={others}
            value={answersTo}
            onChange={setAnswersTo}
          />
          <p>{t("toComeBack", { who })}</p>
        </div>
      }
    />
  );
}
