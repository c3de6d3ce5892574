"use client";

import { EllipsisVertical } from "lucide-react";
import type { Invitation } from "#contract/accounts/invitations.ts";
import { reachesRole } from "#contract/accounts/roles.ts";
import { IconButton } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { useFocusHandover } from "@/components/ui/use-focus-handover";
import { useAccess } from "./access.tsx";

export type InvitationAction = "renew" | "revoke";

interface InvitationActionsProps {
  invitation: Invitation;
  onAsk: (about: InvitationAction, invitation: Invitation) => void;
}

export function InvitationActions({ invitation, onAsk }: InvitationActionsProps) {
  const { role } = useAccess();
  const holder = useFocusHandover<HTMLSpanElement>();
  if (invitation.state === "accepted" || invitation.state === "replaced") return null;
  const reaches = role === null || reachesRole(role, invitation.role);
  const refused = reaches ? {} : { disabled: true, hint: `Only an ${invitation.role} can do this` };
  const label = `Actions for ${invitation.email}`;
  return (
    <span ref={holder}>
      <Menu
        label={label}
        trigger={<IconButton label={label} icon={<EllipsisVertical size={16} aria-hidden />} />}
        items={[
          { label: "New link…", onSelect: () => onAsk("renew", invitation), ...refused },
          ...(invitation.state === "open"
            ? [
                {
                  label: "Revoke…",
                  tone: "bad" as const,
                  onSelect: () => onAsk("revoke", invitation),
                  ...refused,
                },
              ]
            : []),
        ]}
      />
    </span>
  );
}
