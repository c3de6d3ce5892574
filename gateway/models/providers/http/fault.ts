/** An upstream's error, in the same form for every protocol. */
export interface Fault {
  code: string | null;
  message: string | null;
  /** The field of the upstream's own request. */
  param: string | null;
}
