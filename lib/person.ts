/**
 * Who is signed in, as a keyed hash: in a cookie that scripts may read, and in a header with which a page says for whom it
 * was drawn. Tabs share the session's cookie, so another tab can sign somebody else in while this page is open.
 */
export const personCookie = "gatehouse-person";
export const personHeader = "x-gatehouse-person";

/** For a request that a page drawn for one person would make as another. */
export const anotherPersonMessage =
  "Somebody else is signed in in this browser now. Nothing was done. Reload the page, or sign in again as yourself.";
