import { CircleHelp, type LucideIcon } from "lucide-react";
import type { Key, Words } from "../../messages/words.ts";

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

/** A state in a table, by the names of its messages. */
export interface State extends Pick<StatusLook, "tone" | "icon"> {
  label: Key<"states">;
  meaning: Key<"states">;
}

/** The entry of `status`, or `fallback`. Properties inherited from Object do not count. */
export function knownOr<Look>(looks: Record<string, Look>, status: string, fallback: Look): Look {
  return Object.hasOwn(looks, status) ? (looks[status] ?? fallback) : fallback;
}

/**
 * What a table says about a status: its look in the reader's language, and the rules that need no words. An unknown
 * status is neutral, with its raw text and the rules of `unknown`.
 */
export function statesOf<Rules extends object>(states: Record<string, State & Rules>, unknown: Rules) {
  const known = (status: string) => knownOr<(State & Rules) | null>(states, status, null);
  return {
    look(t: Words<"states">, status: string): StatusLook & Rules {
      const state = known(status);
      if (state) return { ...state, label: t.text(state.label), meaning: t.text(state.meaning) };
      return { ...unknown, label: status, tone: "waiting", icon: CircleHelp, meaning: t("unknownMeaning") };
    },
    rules: (status: string): Rules => known(status) ?? unknown,
    /** Every state, as the options of a filter. */
    options: (t: Words<"states">) =>
      Object.entries(states).map(([value, { label }]) => ({ value, label: t.text(label) })),
  };
}
