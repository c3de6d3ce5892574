/**
 * Identifies the signed-in person by a keyed hash: in a cookie that scripts may read, and in a header that
 * states who a page was rendered for. Tabs share the session cookie, so another tab can sign in somebody else
 * while this page is open.
 */
export const personCookie = "gatehouse-person";
export const personHeader = "x-gatehouse-person";

/** For a request from a page of one person while another is signed in. */
export const anotherPersonMessage =
  "Somebody else is signed in in this browser now. Nothing was done. Reload the page, or sign in again as yourself.";
