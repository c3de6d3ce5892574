import { Check, Clock, type LucideIcon, MailOpen, Repeat, X } from "lucide-react";
import type { InvitationState } from "#contract/invitations.ts";
import type { Tone } from "@/lib/status/tone";

interface StateLook {
  label: string;
  tone: Tone;
  icon: LucideIcon;
}

export const invitationLooks: Record<InvitationState, StateLook> = {
  open: { label: "Open", tone: "waiting", icon: MailOpen },
  accepted: { label: "Accepted", tone: "good", icon: Check },
  expired: { label: "Expired", tone: "warn", icon: Clock },
  revoked: { label: "Revoked", tone: "gone", icon: X },
  replaced: { label: "Replaced", tone: "gone", icon: Repeat },
};
