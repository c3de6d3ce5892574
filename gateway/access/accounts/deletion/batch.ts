/** What a step of a deletion did. */
export interface Batch {
  /** `waiting`: other sweeps, or runs that have not ended, come first. */
  state: "more" | "waiting" | "done";
  /** How many of the counted rows it removed. */
  erased?: number;
  /** Where the next batch begins. */
  cursor?: string;
}
