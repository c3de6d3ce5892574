"use client";

import { Check, Clock, type LucideIcon, MailOpen, Repeat, UserPlus, X } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import type { Account } from "#contract/accounts/account.ts";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type {
  Invitation,
  InvitationState,
  Member,
  MemberList,
  MemberSignInWay,
} from "#contract/accounts/team.ts";
import type { List } from "#contract/list.ts";
import { useWords } from "#words";
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
import { formatCount } from "@/lib/format";
import type { GatewayResult } from "@/lib/gateway/result";
import type { Tone } from "@/lib/status/status-look";
import { roleLabels, roleMeanings } from "@/lib/team/roles";
import type { TeamQuestion } from "./team-dialogs.tsx";

const TeamDialogs = dynamic(() => import("./team-dialogs.tsx").then((module) => module.TeamDialogs), {
  ssr: false,
});

const none = <span className="text-faint">–</span>;

interface StateLook {
  label: string;
  tone: Tone;
  icon: LucideIcon;
}

const invitationLooks: Record<InvitationState, StateLook> = {
  open: { label: "Open", tone: "waiting", icon: MailOpen },
  accepted: { label: "Accepted", tone: "good", icon: Check },
  expired: { label: "Expired", tone: "warn", icon: Clock },
  revoked: { label: "Revoked", tone: "gone", icon: X },
  replaced: { label: "Replaced", tone: "gone", icon: Repeat },
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
  const router = usePageRouter();
  const [question, setQuestion] = useState<TeamQuestion | null>(null);
  const team = members.ok ? members.data.data : [];
  const canInvite = useAccess().may("members:manage");
  const offered = members.ok || members.error.code !== "route_not_found";
  useAsked("invite", offered && canInvite && (() => setQuestion({ about: "invite" })));

  return (
    <>
      <PageHeader
        title="Team"
        description="The people in this account, and their roles."
        actions={
          offered && (
            <Permitted to="members:manage">
              <Button
                variant="primary"
                icon={<UserPlus size={16} aria-hidden />}
                onClick={() => setQuestion({ about: "invite" })}
              >
                Invite
              </Button>
            </Permitted>
          )
        }
      />
      {members.ok ? (
        <Section title="Members">
          <MembersTable members={team} onAsk={(about, member) => setQuestion({ about, member })} />
        </Section>
      ) : offered ? (
        <LoadFailure error={members.error} />
      ) : (
        <NotOffered what="teams">Everybody who has a key uses this gateway as one account.</NotOffered>
      )}
      <UnansweredKeys keys={unansweredKeys} onTakeOver={(key) => setQuestion({ about: "take-over", key })} />
      {invitations.ok && (
        <Section
          title="Invitations"
          description="A link works once, for seven days. Accepted and expired invitations stay in the list for 90 days."
        >
          <InvitationsTable
            invitations={invitations.data}
            onInvite={() => setQuestion({ about: "invite" })}
            onAsk={(about, invitation) => setQuestion({ about, invitation })}
          />
        </Section>
      )}
      {offered && (
        <Section
          title="Roles"
          description="The rights of each role. An account key has the rights of its scopes; a personal key never has more than its member."
        >
          {rolesTable}
        </Section>
      )}
      {question && (
        <TeamDialogs
          question={question}
          accountName={account?.name ?? "this account"}
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

const columns: readonly Column<Invitation>[] = [
  {
    head: "E-mail",
    cellClass: "max-w-64 min-w-28 font-medium wrap-anywhere",
    cell: ({ email }) => email,
  },
  { head: "Role", from: "tablet", cell: ({ role }) => roleLabels[role] },
  { head: "State", cell: ({ state }) => <StatusPill {...invitationLooks[state]} /> },
  {
    head: "Invited by",
    from: "tablet",
    cellClass: "max-w-40 wrap-anywhere",
    cell: ({ invited_by }) => invited_by?.name ?? none,
  },
  {
    head: "Made",
    from: "tablet",
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  {
    head: "Ends",
    from: "tablet",
    cell: ({ state, expires_at }) =>
      state === "open" || state === "expired" ? <Time value={expires_at} /> : none,
  },
];

function InvitationsTable({ invitations, onInvite, onAsk }: InvitationsTableProps) {
  const { data } = invitations;
  if (data.length === 0)
    return (
      <EmptyState
        title="No invitations"
        body="An invitation is a link that you copy and send yourself, so no mail server is needed."
        action={<Button onClick={onInvite}>Invite somebody</Button>}
      />
    );
  return (
    <>
      <RowsTable
        label="Invitations"
        rows={data}
        columns={[
          ...columns,
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
  const { found, bar } = useRowSearch({
    rows: members,
    textOf: ({ user_id, name, email }) => [user_id, name, email ?? ""].join(" "),
    noun: "member",
  });
  return (
    <>
      {bar}
      {found.length > 0 && (
        <Table label="Members">
          <thead>
            <tr>
              <Th>Name</Th>
              <Th>Role</Th>
              <Th>Signs in with</Th>
              <Th>Responsible for</Th>
              <Th>Last seen</Th>
              <Th>Since</Th>
              <Th>
                <span className="sr-only">Actions</span>
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
  const { userId } = useAccess();
  if (keys.length === 0) return null;
  return (
    <Section
      title="Service keys without a responsible person"
      description="Adult and portrait operations with these keys are refused until an owner or admin takes responsibility for the keys."
    >
      <Table label="Service keys without a responsible person">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th>Created by</Th>
            <Th>Last used</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <Tr key={key.id}>
              <Td className="max-w-72 min-w-32">
                <span className="font-medium text-ink wrap-anywhere">{key.name}</span>
                <code className="block text-meta text-muted">{key.hint}</code>
              </Td>
              <Td className="max-w-40 wrap-anywhere" label="Created by">
                {key.created_by?.name ?? <span className="text-faint">–</span>}
              </Td>
              <Td label="Last used">
                {key.last_used_at ? (
                  <Time value={key.last_used_at} />
                ) : (
                  <span className="text-muted">never</span>
                )}
              </Td>
              <Td className="text-right">
                {userId !== null && (
                  <Permitted to="attestations:answer">
                    <Button size="sm" aria-label={`Take over ${key.name}`} onClick={() => onTakeOver(key)}>
                      Take over…
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
  const { userId } = useAccess();
  const keys = member.answers_for;
  const rates = tokenRateTexts(member, useWords("keys"));
  return (
    <Tr>
      <Td className="max-w-72 min-w-32">
        <span className="font-medium text-ink wrap-anywhere">{member.name}</span>{" "}
        {member.user_id === userId && <Badge>you</Badge>}
        {member.email && <span className="block text-meta text-muted wrap-anywhere">{member.email}</span>}
        <BudgetUse holder={member} />
        {rates.length > 0 && (
          <span className="block text-meta text-muted wrap-anywhere">{rates.join(", ")}</span>
        )}
      </Td>
      <Td>
        <Badge title={roleMeanings[member.role]}>{roleLabels[member.role]}</Badge>
      </Td>
      <Td label="Signs in with">
        <MemberSignIn signIn={member.sign_in} />
      </Td>
      <Td className="max-w-56" label="Responsible for">
        {keys.length > 0 ? (
          <span title={keys.map(({ name }) => name).join(", ")}>
            {formatCount(keys.length, "service key")}
          </span>
        ) : (
          <span className="text-faint">–</span>
        )}
      </Td>
      <Td label="Last seen">
        {member.last_seen_at ? (
          <Time value={member.last_seen_at} />
        ) : (
          <span className="text-muted">{member.has_other_accounts ? "–" : "never"}</span>
        )}
      </Td>
      <Td label="Since">
        <Time value={member.since} />
      </Td>
      <Td className="text-right">
        <MemberActions member={member} onAsk={onAsk} />
      </Td>
    </Tr>
  );
}

const wayLabels: Record<MemberSignInWay, string> = {
  password: "password",
  passkey: "passkey",
  provider: "identity provider",
};

/** How a member signs in. Only people who manage members see this. */
function MemberSignIn({ signIn }: { signIn: Member["sign_in"] }) {
  if (!signIn) return <span className="text-faint">–</span>;
  const words = signIn.ways.map((way) => wayLabels[way]).join(", ") || "No way to sign in yet";
  return (
    <>
      <span>{words.charAt(0).toUpperCase() + words.slice(1)}</span>
      <span className="block text-meta text-muted">
        {signIn.has_second_factor ? "has a second factor" : "no second factor"}
      </span>
    </>
  );
}
