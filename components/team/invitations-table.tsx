"use client";

import { Check, Clock, type LucideIcon, MailOpen, Repeat, X } from "lucide-react";
import type { Invitation, InvitationState } from "#contract/accounts/invitations.ts";
import type { List } from "#contract/list.ts";
import { Button } from "@/components/ui/button";
import { Pager } from "@/components/ui/list/pager";
import { Table, Td, Th, Tr } from "@/components/ui/list/table";
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
  const { data, has_more, first_id, last_id } = invitations;
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
      <Table label="Invitations">
        <thead>
          <tr>
            <Th>E-mail</Th>
            <Th className="max-phone:hidden">Role</Th>
            <Th>State</Th>
            <Th className="max-tablet:hidden">Invited by</Th>
            <Th className="max-tablet:hidden">Made</Th>
            <Th className="max-phone:hidden">Ends</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {data.map((invitation) => (
            <Tr key={invitation.id}>
              <Td className="max-w-64 min-w-28 font-medium wrap-anywhere">
                {invitation.email}
                <span className="block text-meta font-normal text-muted phone:hidden">
                  {roleLabels[invitation.role]}
                </span>
              </Td>
              <Td className="max-phone:hidden">{roleLabels[invitation.role]}</Td>
              <Td>
                <StatusPill {...invitationLooks[invitation.state]} />
              </Td>
              <Td className="max-w-40 wrap-anywhere max-tablet:hidden">
                {invitation.invited_by?.name ?? <span className="text-faint">–</span>}
              </Td>
              <Td className="max-tablet:hidden">
                <Time value={invitation.created_at} />
              </Td>
              <Td className="max-phone:hidden">
                {invitation.state === "open" || invitation.state === "expired" ? (
                  <Time value={invitation.expires_at} />
                ) : (
                  <span className="text-faint">–</span>
                )}
              </Td>
              <Td className="text-right">
                <InvitationActions invitation={invitation} onAsk={onAsk} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <Pager hasMore={has_more} first={first_id} last={last_id} count={data.length} />
    </>
  );
}

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
