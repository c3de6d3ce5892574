/** Constants of guards; they are apart from the schemas because pages do not need the schemas. */

/** When a guard is asked. `input`: before a run; `output`: after it, before anybody sees what it made. */
export const guardStages = ["input", "output"] as const;
export type GuardStage = (typeof guardStages)[number];

/** When a guard that is asked about outputs sees a stream: once it has ended, or in pieces that are held back. */
export const guardStreams = ["after", "hold"] as const;
/** How many characters of a stream are held back at least until they are allowed. */
export const heldCharacters = { min: 100, max: 20_000, default: 500 } as const;

/** What happens to a run whose guard fails: it is refused, or it continues unchecked. */
export const guardFallbacks = ["block", "allow"] as const;

/** How long a guard has to answer, with the connection. */
export const guardTimeoutMs = 3_000;
/** The largest answer of a guard. */
export const guardAnswerBytes = 1_000_000;
/** The longest reason that callers see. */
export const guardReasonLength = 500;
/** At most this many names in each list of a guard. */
export const maxGuardNames = 100;

export const guardActivitySteps = ["hour", "day"] as const;

/** What came of a question to a guard. */
export const guardResults = ["allowed", "blocked", "replaced", "failed"] as const;
