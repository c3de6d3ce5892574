/** Limits of saved conversations. */
export const conversationLimits = {
  perAccount: 500,
  /** Largest contents of one conversation, as JSON. */
  contentBytes: 900_000,
  /** Most messages of a conversation, over all branches. */
  messages: 2_000,
} as const;

export const conversationFields = { name: { minLength: 1, maxLength: 100, pattern: "\\S" } } as const;
