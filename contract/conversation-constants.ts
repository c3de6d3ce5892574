/** Limits of saved conversations. */
export const conversationLimits = {
  perAccount: 500,
  /** Of one conversation's contents, as JSON. */
  contentBytes: 900_000,
  /** Of all branches together. */
  messages: 2_000,
  nameCharacters: 100,
} as const;
