/** Who is signed in, as the browser may know it: never the bearer. */
export interface SessionView {
  /** `key` when the console was entered with a plain account key. */
  kind: "user" | "key";
  accountId: string;
  accountName: string;
  /** The user's name, or the key's. */
  name: string;
  email: string | null;
}
