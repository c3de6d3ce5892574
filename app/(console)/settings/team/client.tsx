"use client";

import { Check, Clock, type LucideIcon, MailOpen, Repeat, UserPlus, X } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import type { Account } from "#contract/accounts/account.ts";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { Invitation, InvitationState, Member, MemberList } from "#contract/accounts/team.ts";
import type { List } from "#contract/list.ts";
import { useFormats, useWords } from "#words";
import { BudgetUse } from "@/components/keys/budget-use";
import { tokenRateTexts } from "@/components/keys/token-rate-texts";
import { useAccess } from "@/components/team/access";
import {
  type InvitationAction,
  InvitationActions,
  type MemberAction,
  MemberActions,
} from "@/components/team/member-actions";
import { Permitted } from "@/components/team/permitted";
import { Badge, StatusPill } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Pager } from "@/components/ui/list/pager";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
import { useRowSearch } from "@/components/ui/list/use-row-search";
import { EmptyState } from "@/components/ui/page/empty-state";
import { LoadFailure } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { useAsked } from "@/components/ui/page/use-asked";
import { Time } from "@/components/ui/time";
import type { GatewayResult } from "@/lib/gateway/result";
import type { Tone } from "@/lib/status/status-look";
import type { Words } from "@/messages/words";
import type { TeamQuestion } from "./team-dialogs.tsx";

const TeamDialogs = dynamic(() => import("./team-dialogs.tsx").then((module) => module.TeamDialogs), {
  ssr: false,
});

const none = <span className="text-faint">–</span>;

interface StateLook {
  tone: Tone;
  icon: LucideIcon;
}

const invitationLooks: Record<InvitationState, StateLook> = {
  open: { tone: "waiting", icon: MailOpen },
  accepted: { tone: "good", icon: Check },
  expired: { tone: "warn", icon: Clock },
  revoked: { tone: "gone", icon: X },
  replaced: { tone: "gone", icon: Repeat },
};

interface TeamClientProps {
  account: Account | null;
  members: GatewayResult<MemberList>;
  invitations: GatewayResult<List<Invitation>>;
  /** Service keys that have no responsible person. */
  unansweredKeys: ApiKey[];
  /** Rendered on the server, because the browser does not load the labels of all permissions. */
  rolesTable: ReactNode;
}

/** Members, invitations and the rights of each role. */
export function TeamClient({ account, members, invitations, unansweredKeys, rolesTable }: TeamClientProps) {
  const t = useWords("team");
  const router = usePageRouter();
  const [question, setQuestion] = useState<TeamQuestion | null>(null);
  const team = members.ok ? members.data.data : [];
  const canInvite = useAccess().may("members:manage");
  const offered = members.ok || members.error.code !== "route_not_found";
  useAsked("invite", offered && canInvite && (() => setQuestion({ about: "invite" })));

  return (
    <>
      <PageHeader
        title={useWords("pages")("team")}
        description={t("thePeopleInThisAccount")}
        actions={
          offered && (
            <Permitted to="members:manage">
              <Button
                variant="primary"
                icon={<UserPlus size={16} aria-hidden />}
                onClick={() => setQuestion({ about: "invite" })}
              >
                {t("invite")}
              </Button>
            </Permitted>
          )
        }
      />
      {members.ok ? (
        <Section title={t("members")}>
          <MembersTable members={team} onAsk={(about, member) => setQuestion({ about, member })} />
        </Section>
      ) : offered ? (
        <LoadFailure error={members.error} />
      ) : (
        <NotOffered what={t("teams")}>{t("everybodyWhoHasAKey")}</NotOffered>
      )}
      <UnansweredKeys keys={unansweredKeys} onTakeOver={(key) => setQuestion({ about: "take-over", key })} />
      {invitations.ok && (
        <Section title={t("invitations")} description={t("aLinkWorksOnceFor")}>
          <InvitationsTable
            invitations={invitations.data}
            onInvite={() => setQuestion({ about: "invite" })}
            onAsk={(about, invitation) => setQuestion({ about, invitation })}
          />
        </Section>
      )}
      {offered && (
        <Section title={t("roles")} description={t("theRightsOfEachRole")}>
          {rolesTable}
        </Section>
      )}
      {question && (
        <TeamDialogs
          question={question}
          accountName={account?.name ?? t("thisAccount")}
          members={team}
          onClose={() => setQuestion(null)}
          onChanged={() => router.refresh()}
        />
      )}
    </>
  );
}

interface InvitationsTableProps {
  invitations: List<Invitation>;
  onInvite: () => void;
  onAsk: (about: InvitationAction, invitation: Invitation) => void;
}

const columnsIn = (t: Words<"team">, shell: Words<"shell">): readonly Column<Invitation>[] => [
  {
    head: t("eMail"),
    cellClass: "max-w-64 min-w-28 font-medium wrap-anywhere",
    cell: ({ email }) => <span data-name>{email}</span>,
  },
  { head: t("role"), from: "tablet", cell: ({ role }) => shell("roleName", { role }) },
  { head: t("state"), cell: ({ state }) => <StatusPill {...invitationLooks[state]} label={t.text(state)} /> },
  {
    head: t("invitedBy"),
    from: "tablet",
    cellClass: "max-w-40 wrap-anywhere",
    cell: ({ invited_by }) => (invited_by ? <span data-name>{invited_by.name}</span> : none),
  },
  {
    head: t("made"),
    from: "tablet",
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  {
    head: t("ends"),
    from: "tablet",
    cell: ({ state, expires_at }) =>
      state === "open" || state === "expired" ? <Time value={expires_at} /> : none,
  },
];

function InvitationsTable({ invitations, onInvite, onAsk }: InvitationsTableProps) {
  const t = useWords("team");
  const shell = useWords("shell");
  const { data } = invitations;
  if (data.length === 0)
    return (
      <EmptyState
        title={t("noInvitations")}
        body={t("anInvitationIsALink")}
        action={<Button onClick={onInvite}>{t("inviteSomebody")}</Button>}
      />
    );
  return (
    <>
      <RowsTable
        label={t("invitations")}
        rows={data}
        columns={[
          ...columnsIn(t, shell),
          {
            head: actionsHead,
            cellClass: "text-right",
            cell: (invitation) => <InvitationActions invitation={invitation} onAsk={onAsk} />,
          },
        ]}
      />
      <Pager list={invitations} total={{ route: "GET /account/invitations", noun: "invitation" }} />
    </>
  );
}

interface MembersTableProps {
  members: Member[];
  onAsk: (about: MemberAction, member: Member) => void;
}

function MembersTable({ members, onAsk }: MembersTableProps) {
  const t = useWords("team");
  const { found, bar } = useRowSearch({
    rows: members,
    textOf: ({ user_id, name, email }) => [user_id, name, email ?? ""].join(" "),
    noun: "member",
  });
  return (
    <>
      {bar}
      {found.length > 0 && (
        <Table label={t("members")}>
          <thead>
            <tr>
              <Th>{t("memberName")}</Th>
              <Th>{t("role")}</Th>
              <Th>{t("signsInWith")}</Th>
              <Th>{t("responsibleFor")}</Th>
              <Th>{t("lastSeen")}</Th>
              <Th>{t("since")}</Th>
              <Th>
                <span className="sr-only">{t("actions")}</span>
              </Th>
            </tr>
          </thead>
          <tbody>
            {found.map((member) => (
              <MemberRow key={member.id} member={member} onAsk={onAsk} />
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}

interface UnansweredKeysProps {
  keys: readonly ApiKey[];
  onTakeOver: (key: ApiKey) => void;
}

/** Service keys without a responsible person. Each has a button for becoming responsible. */
function UnansweredKeys({ keys, onTakeOver }: UnansweredKeysProps) {
  const t = useWords("team");
  const { userId } = useAccess();
  if (keys.length === 0) return null;
  return (
    <Section title={t("serviceKeysWithoutAResponsible")} description={t("adultAndPortraitOperationsWith")}>
      <Table label={t("serviceKeysWithoutAResponsible")}>
        <thead>
          <tr>
            <Th>{t("name")}</Th>
            <Th>{t("createdBy")}</Th>
            <Th>{t("lastUsed")}</Th>
            <Th>
              <span className="sr-only">{t("actions")}</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <Tr key={key.id}>
              <Td className="max-w-72 min-w-32">
                <span data-name className="font-medium text-ink wrap-anywhere">
                  {key.name}
                </span>
                <code className="block text-meta text-muted">{key.hint}</code>
              </Td>
              <Td className="max-w-40 wrap-anywhere" label={t("createdBy")}>
                {key.created_by ? <span data-name>{key.created_by.name}</span> : none}
              </Td>
              <Td label={t("lastUsed")}>
                {key.last_used_at ? (
                  <Time value={key.last_used_at} />
                ) : (
                  <span className="text-muted">{t("never")}</span>
                )}
              </Td>
              <Td className="text-right">
                {userId !== null && (
                  <Permitted to="attestations:answer">
                    <Button
                      size="sm"
                      aria-label={t("takeOverName", { name: key.name })}
                      onClick={() => onTakeOver(key)}
                    >
                      {t("takeOver")}
                    </Button>
                  </Permitted>
                )}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

interface MemberRowProps {
  member: Member;
  onAsk: (about: MemberAction, member: Member) => void;
}

function MemberRow({ member, onAsk }: MemberRowProps) {
  const t = useWords("team");
  const { userId } = useAccess();
  const keys = member.answers_for;
  const rates = tokenRateTexts(member, useWords("keys"));
  const shell = useWords("shell");
  const meanings = useWords("roles");
  const { list } = useFormats();
  return (
    <Tr>
      <Td className="max-w-72 min-w-32">
        <span data-name className="font-medium text-ink wrap-anywhere">
          {member.name}
        </span>{" "}
        {member.user_id === userId && <Badge>{t("you")}</Badge>}
        {member.email && (
          <span data-name className="block text-meta text-muted wrap-anywhere">
            {member.email}
          </span>
        )}
        <BudgetUse holder={member} />
        {rates.length > 0 && <span className="block text-meta text-muted wrap-anywhere">{list(rates)}</span>}
      </Td>
      <Td>
        <Badge title={meanings.text(member.role)}>{shell("roleName", { role: member.role })}</Badge>
      </Td>
      <Td label={t("signsInWith")}>
        <MemberSignIn signIn={member.sign_in} />
      </Td>
      <Td className="max-w-56" label={t("responsibleFor")}>
        {keys.length > 0 ? (
          <span data-name title={list(keys.map(({ name }) => name))}>
            {t("serviceKeyCount", { count: keys.length })}
          </span>
        ) : (
          <span className="text-faint">–</span>
        )}
      </Td>
      <Td label={t("lastSeen")}>
        {member.last_seen_at ? (
          <Time value={member.last_seen_at} />
        ) : (
          <span className="text-muted">{member.has_other_accounts ? "–" : t("never")}</span>
        )}
      </Td>
      <Td label={t("since")}>
        <Time value={member.since} />
      </Td>
      <Td className="text-right">
        <MemberActions member={member} onAsk={onAsk} />
      </Td>
    </Tr>
  );
}

/** How a member signs in. Only people who manage members see this. */
function MemberSignIn({ signIn }: { signIn: Member["sign_in"] }) {
  const t = useWords("team");
  const { list } = useFormats();
  if (!signIn) return <span className="text-faint">–</span>;
  const words = list(signIn.ways.map((way) => t.text(way))) || t("noWayYet");
  return (
    <>
      <span>{words.charAt(0).toUpperCase() + words.slice(1)}</span>
      <span className="block text-meta text-muted">
        {signIn.has_second_factor ? t("hasASecondFactor") : t("noSecondFactor")}
      </span>
    </>
  );
}
