/**
 * Identifies the signed-in person by a keyed hash. The hash is in a cookie that scripts may read, and in a
 * header that names the person for whom the page was rendered. Tabs share the session cookie, so another tab
 * can sign in another person while this page is open.
 */
export const personCookie = "gatehouse-person";

export const personHeader = "x-gatehouse-person";

/** The error for a request from one person's page while another person is signed in. */
export const anotherPersonMessage =
  "Another person is now signed in with this browser. Nothing was done. Reload the page, or sign in again as yourself.";

/** The signed-in person for the browser, without the bearer token. */
export interface SessionView {
  /** `key` if the visitor signed in with an account key. */
  kind: "user" | "key";
  /** Hash of the person or key; see `personCookie`. */
  person: string;
  accountId: string;
  accountName: string;
  /** The user's name, or the key's. */
  name: string;
  email: string | null;
}
