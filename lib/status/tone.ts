/** The colour of a state. Only states have these colours. */
export type Tone = "good" | "busy" | "waiting" | "warn" | "bad" | "gone";
