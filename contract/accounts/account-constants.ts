/** The minimum length of a password, in characters. */
export const passwordMinLength = 10;
export const passwordMaxLength = 200;

/** Texts that people type, for the schemas and for the forms of the console. */
export const personFields = {
  email: { minLength: 3, maxLength: 254 },
  name: { minLength: 1, maxLength: 100, pattern: "\\S" },
  newPassword: { minLength: passwordMinLength, maxLength: passwordMaxLength },
  passkeyName: { minLength: 1, maxLength: 60, pattern: "\\S" },
  /** Six digits from an authenticator app, or a recovery code. */
  code: { minLength: 6, maxLength: 40 },
} as const;

/** An app's code as people type it: six digits, often with a space between them. */
export const appCode = { pattern: "[0-9 ]{6,7}", maxLength: 7 } as const;
