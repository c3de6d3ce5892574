/** Names the account of a request, for people who are members of several. */
export const accountHeader = "x-svc-account";

/** The shortest password that is accepted, in characters. */
export const passwordMinLength = 10;
export const passwordMaxLength = 200;
