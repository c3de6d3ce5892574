/** Time-outs for the parts of a call to an upstream; the providers file can change each per provider. */
export interface Timeouts {
  /** DNS, connection and TLS. */
  connectMs: number;
  /** From the request to the first bytes of the answer, for a call that runs a model. */
  answerMs: number;
  /**
   * From the request to the first bytes of the answer, for a call that only submits, polls or cancels a job.
   */
  jobMs: number;
  /** From the request to the last byte of the answer. */
  wholeMs: number;
  /** From the request to the last byte of a streamed answer. */
  streamMs: number;
  /** Silence in the middle of an answer or stream. */
  idleMs: number;
  /** Silence before the first content of a chat, if another upstream could be tried instead. */
  firstTokenMs: number;
  /** Silence between two pieces of content, if another upstream could be tried instead. */
  nextTokenMs: number;
  /** A sync operation on an upstream that only has jobs, from the start to the outputs. */
  runMs: number;
}

export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  answerMs: 600_000,
  jobMs: 60_000,
  wholeMs: 900_000,
  streamMs: 3_600_000,
  idleMs: 120_000,
  firstTokenMs: 10_000,
  nextTokenMs: 25_000,
  runMs: 600_000,
};
