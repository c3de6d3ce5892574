import { Ban, CircleCheck, TimerOff } from "lucide-react";
import type { Scope } from "#contract/accounts/constants.ts";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { StatusLook } from "@/lib/status/status-look";

/** The rights that each scope gives to a key. */
export const scopeLabels: Record<Scope, string> = {
  inference: "Run models",
  predictions: "Read and cancel predictions",
  uploads: "Create, read and delete uploads",
  webhooks: "Manage endpoints, read and retry deliveries",
  usage: "Read usage and the request log",
  keys: "Create and revoke keys, read the audit log",
  contents: "Read and delete what all calls said",
  operator: "Configure this installation",
};

const looks = {
  active: { label: "Active", tone: "good", icon: CircleCheck, meaning: "This key works" },
  expired: { label: "Expired", tone: "warn", icon: TimerOff, meaning: "Expired: requests are rejected" },
  revoked: { label: "Revoked", tone: "gone", icon: Ban, meaning: "Revoked: requests are rejected" },
} satisfies Record<string, StatusLook>;

/** The current state of a key. */
export function keyLook(
  key: Pick<ApiKey, "revoked_at" | "expires_at">,
  nowMs: number,
): StatusLook & { usable: boolean } {
  if (key.revoked_at !== null) return { ...looks.revoked, usable: false };
  if (key.expires_at !== null && Date.parse(key.expires_at) <= nowMs)
    return { ...looks.expired, usable: false };
  return { ...looks.active, usable: true };
}
