"use client";

import { EllipsisVertical } from "lucide-react";
import { reachesRole } from "#contract/accounts/constants.ts";
import type { Invitation, Member } from "#contract/accounts/team.ts";
import { useWords } from "#words";
import { IconButton } from "@/components/ui/button";
import { Menu, type MenuItem } from "@/components/ui/menu";
import { useFocusHandover } from "@/components/ui/use-focus-handover";
import { useAccess } from "./access.tsx";

export type MemberAction = "role" | "budget" | "reset" | "sessions" | "remove" | "leave";

interface MemberActionsProps {
  member: Member;
  onAsk: (about: MemberAction, member: Member) => void;
}

/**
 * The visitor's actions for a member: leaving for themselves, and for others the actions that their role
 * allows.
 */
export function MemberActions({ member, onAsk }: MemberActionsProps) {
  const t = useWords("team");
  const pages = useWords("pages");
  const { role, userId, may } = useAccess();
  const holder = useFocusHandover<HTMLSpanElement>();
  const isSelf = member.user_id === userId;
  const manages = may("members:manage");
  if (!isSelf && !manages) return null;

  const reaches = role === null || reachesRole(role, member.role);
  const refused = reaches ? {} : { disabled: true, hint: t("onlyRoleCan", { role: member.role }) };
  const alone = member.has_other_accounts
    ? {
        disabled: true,
        hint: t("thisMemberAlsoBelongsTo"),
      }
    : refused;
  const ask = (label: string, about: MemberAction, rest: Partial<MenuItem> = {}): MenuItem => ({
    label,
    onSelect: () => onAsk(about, member),
    ...rest,
  });
  const label = t("actionsFor", { name: member.name });
  return (
    <span ref={holder}>
      <Menu
        label={label}
        trigger={<IconButton label={label} icon={<EllipsisVertical size={16} aria-hidden />} />}
        items={[
          ...(manages
            ? [ask(t("changeRoleItem"), "role", refused), ask(t("budgetsItem"), "budget", refused)]
            : []),
          ...(isSelf
            ? [
                { label: pages("profile"), href: "/settings/profile" },
                ask(t("leaveItem"), "leave", { tone: "bad" }),
              ]
            : [
                ask(t("resetItem"), "reset", alone),
                ask(t("sessionsItem"), "sessions", alone),
                ask(t("removeItem"), "remove", { tone: "bad", ...refused }),
              ]),
        ]}
      />
    </span>
  );
}

export type InvitationAction = "renew" | "revoke";

interface InvitationActionsProps {
  invitation: Invitation;
  onAsk: (about: InvitationAction, invitation: Invitation) => void;
}

export function InvitationActions({ invitation, onAsk }: InvitationActionsProps) {
  const t = useWords("team");
  const { role } = useAccess();
  const holder = useFocusHandover<HTMLSpanElement>();
  if (invitation.state === "accepted" || invitation.state === "replaced") return null;
  const reaches = role === null || reachesRole(role, invitation.role);
  const refused = reaches ? {} : { disabled: true, hint: t("onlyRoleCan", { role: invitation.role }) };
  const label = t("actionsFor", { name: invitation.email });
  return (
    <span ref={holder}>
      <Menu
        label={label}
        trigger={<IconButton label={label} icon={<EllipsisVertical size={16} aria-hidden />} />}
        items={[
          { label: t("newLink"), onSelect: () => onAsk("renew", invitation), ...refused },
          ...(invitation.state === "open"
            ? [
                {
                  label: t("revoke"),
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
