/** How long the parts of a call to an upstream may take; the providers file may change each for one provider. */
export interface Timeouts {
  /** Name, connection and TLS. */
  connectMs: number;
  /** From the request to the first bytes of the answer of a call that makes something. */
  answerMs: number;
  /** The same of a call that only hands over, asks or cancels a job. */
  jobMs: number;
  /** Silence in the middle of an answer or stream. */
  idleMs: number;
  /** A sync operation on an upstream that only knows jobs, from its start to its outputs. */
  runMs: number;
}

export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  answerMs: 600_000,
  jobMs: 60_000,
  idleMs: 120_000,
  runMs: 600_000,
};
