"use client";

import { UserPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Account } from "#contract/accounts/account.ts";
import type { Invitation } from "#contract/accounts/invitations.ts";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { MemberList } from "#contract/accounts/members.ts";
import type { List } from "#contract/list.ts";
import { InvitationsTable } from "@/components/team/invitations-table";
import { MembersTable } from "@/components/team/members-table";
import { Permitted } from "@/components/team/permitted";
import { RolesTable } from "@/components/team/roles-table";
import { UnansweredKeys } from "@/components/team/unanswered-keys";
import { Button } from "@/components/ui/button";
import { LoadFailure } from "@/components/ui/page/load-failure";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { Section } from "@/components/ui/page/section";
import { usePageRouter } from "@/components/ui/page/use-place";
import type { GatewayResult } from "@/lib/gateway/result";
import type { TeamQuestion } from "./team-dialogs";

const TeamDialogs = dynamic(() => import("./team-dialogs").then((module) => module.TeamDialogs), {
  ssr: false,
});

interface TeamClientProps {
  account: Account | null;
  members: GatewayResult<MemberList>;
  invitations: GatewayResult<List<Invitation>>;
  /** Service keys that nobody is responsible for. */
  unansweredKeys: ApiKey[];
}

/** Who shares the account, who is invited, and what each role may do. */
export function TeamClient({ account, members, invitations, unansweredKeys }: TeamClientProps) {
  const router = usePageRouter();
  const [question, setQuestion] = useState<TeamQuestion | null>(null);
  const team = members.ok ? members.data.data : [];
  const offered = members.ok || members.error.code !== "route_not_found";

  return (
    <>
      <PageHeader
        title="Team"
        description="The people who share this account, and what each of them may do."
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
          description="A link works once, for seven days. Accepted and expired ones stay listed for 90 days."
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
          description="What each role may do. An account key does what its scope allows; a personal key never more than its member."
        >
          <RolesTable />
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
