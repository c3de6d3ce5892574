import type { LucideIcon } from "lucide-react";

/** The colour of a state. Only states have these colours. */
export type Tone = "good" | "busy" | "waiting" | "warn" | "bad" | "gone";

/** A state always has a label, a tone and an icon. */
export interface StatusLook {
  label: string;
  tone: Tone;
  icon: LucideIcon;
  /** One sentence on the meaning of the state. */
  meaning: string;
}

/** The entry of `status`, or `fallback`. Properties inherited from Object do not count. */
export function knownOr<Look>(looks: Record<string, Look>, status: string, fallback: Look): Look {
  return Object.hasOwn(looks, status) ? (looks[status] ?? fallback) : fallback;
}
