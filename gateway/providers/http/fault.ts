/** What an upstream says about a refusal or failure, whatever its protocol. */
export interface Fault {
  code: string | null;
  message: string | null;
  /** The field of the upstream's own request. */
  param: string | null;
}
