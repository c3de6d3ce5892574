/** Limits of saved conversations. */
export const conversationLimits = {
  perAccount: 500,
  /** Of one conversation's contents, as JSON. */
  contentBytes: 900_000,
  /** Over all branches. */
  messages: 2_000,
} as const;

export const conversationFields = { name: { minLength: 1, maxLength: 100, pattern: "\\S" } } as const;
