/** Names the account of a request, for members of several accounts. */
export const accountHeader = "x-svc-account";

/** The minimum length of a password, in characters. */
export const passwordMinLength = 10;
export const passwordMaxLength = 200;

/** Characters; the forms of the console have the same limits. */
export const personLimits = { emailLength: 254, nameLength: 100, passkeyNameLength: 60 } as const;
