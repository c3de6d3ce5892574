import { Ban, CircleCheck, TimerOff } from "lucide-react";
import type { Scope } from "#contract/accounts/constants.ts";
import type { ApiKey } from "#contract/accounts/keys.ts";
import type { StatusLook } from "@/lib/status/status-look";
import type { Words } from "@/messages/words";

/** The right that a scope gives to a key. */
export function scopeLabel(scope: Scope, t: Words<"keys">): string {
  return t(`${scope}Scope`);
}

const looks = {
  active: { label: "active", tone: "good", icon: CircleCheck, meaning: "activeMeans" },
  expired: { label: "expired", tone: "warn", icon: TimerOff, meaning: "expiredMeans" },
  revoked: { label: "revoked", tone: "gone", icon: Ban, meaning: "revokedMeans" },
} as const;

/** The current state of a key. */
export function keyLook(
  key: Pick<ApiKey, "revoked_at" | "expires_at">,
  nowMs: number,
  t: Words<"keys">,
): StatusLook & { state: keyof typeof looks; usable: boolean } {
  const isExpired = key.expires_at !== null && Date.parse(key.expires_at) <= nowMs;
  const state = key.revoked_at !== null ? "revoked" : isExpired ? "expired" : "active";
  const { label, meaning, ...look } = looks[state];
  return { ...look, state, label: t(label), meaning: t(meaning), usable: state === "active" };
}
