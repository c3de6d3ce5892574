/** The person whose name goes into the record. */
export interface AttestingUser {
  name: string;
  email: string;
}
