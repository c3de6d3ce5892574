"use client";

import type { Member, MemberSignInWay } from "#contract/accounts/members.ts";
import { BudgetUse } from "@/components/keys/budget-use";
import { Badge } from "@/components/ui/badge";
import { Td, Tr } from "@/components/ui/list/table";
import { Time } from "@/components/ui/time";
import { formatCount } from "@/lib/format";
import { roleLabels, roleMeanings } from "@/lib/team/roles";
import { useAccess } from "./access.tsx";
import { type MemberAction, MemberActions } from "./member-actions.tsx";

interface MemberRowProps {
  member: Member;
  onAsk: (about: MemberAction, member: Member) => void;
}

export function MemberRow({ member, onAsk }: MemberRowProps) {
  const { userId } = useAccess();
  const keys = member.answers_for;
  return (
    <Tr>
      <Td className="max-w-72 min-w-32">
        <span className="font-medium text-ink wrap-anywhere">{member.name}</span>{" "}
        {member.user_id === userId && <Badge>you</Badge>}
        {member.email && <span className="block text-meta text-muted wrap-anywhere">{member.email}</span>}
        <BudgetUse holder={member} />
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

/** How a member signs in, for those who manage members. */
function MemberSignIn({ signIn }: { signIn: Member["sign_in"] }) {
  if (!signIn) return <span className="text-faint">–</span>;
  const words = signIn.ways.map((way) => wayLabels[way]).join(", ") || "No way yet";
  return (
    <>
      <span>{words.charAt(0).toUpperCase() + words.slice(1)}</span>
      <span className="block text-meta text-muted">
        {signIn.has_second_factor ? "has a second factor" : "no second factor"}
      </span>
    </>
  );
}
