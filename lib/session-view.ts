/** The signed-in person for the browser, without the bearer token. */
export interface SessionView {
  /** `key` if the visitor signed in with an account key. */
  kind: "user" | "key";
  /** Hash of the person or key; see lib/person.ts. */
  person: string;
  accountId: string;
  accountName: string;
  /** The user's name, or the key's. */
  name: string;
  email: string | null;
}
