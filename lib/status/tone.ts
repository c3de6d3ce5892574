/** The colour of a state; used for states only. */
export type Tone = "good" | "busy" | "waiting" | "warn" | "bad" | "gone";
