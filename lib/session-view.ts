/** Who is signed in, without the bearer, for the browser. */
export interface SessionView {
  /** `key` when the console was entered with a plain account key. */
  kind: "user" | "key";
  /** The person or key as a hash; see lib/person.ts. */
  person: string;
  accountId: string;
  accountName: string;
  /** The user's name, or the key's. */
  name: string;
  email: string | null;
}
