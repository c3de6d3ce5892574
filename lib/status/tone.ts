/** How a state looks; used for states and for nothing else. */
export type Tone = "good" | "busy" | "waiting" | "warn" | "bad" | "gone";
