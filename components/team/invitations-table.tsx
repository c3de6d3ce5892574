"use client";

import { Check, Clock, type LucideIcon, MailOpen, Repeat, X } from "lucide-react";
import type { Invitation, InvitationState } from "#contract/accounts/invitations.ts";
import type { List } from "#contract/list.ts";
import { Button } from "@/components/ui/button";
import { Pager } from "@/components/ui/list/pager";
import { actionsHead, type Column, RowsTable } from "@/components/ui/list/rows-table";
import { EmptyState } from "@/components/ui/page/empty-state";
import { StatusPill } from "@/components/ui/status-pill";
import { Time } from "@/components/ui/time";
import type { Tone } from "@/lib/status/tone";
import { roleLabels } from "@/lib/team/roles";
import { type InvitationAction, InvitationActions } from "./invitation-actions.tsx";

interface InvitationsTableProps {
  invitations: List<Invitation>;
  onInvite: () => void;
  onAsk: (about: InvitationAction, invitation: Invitation) => void;
}

export function InvitationsTable({ invitations, onInvite, onAsk }: InvitationsTableProps) {
  const { data } = invitations;
  if (data.length === 0)
    return (
      <EmptyState
        title="No invitations"
        body="An invitation is a link that you copy and send yourself; no mail server is needed."
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

const none = <span className="text-faint">–</span>;

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
