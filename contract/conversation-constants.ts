/** Limits of saved conversations. */
export const conversationLimits = {
  perAccount: 500,
  /** Of one conversation's contents, as JSON. */
  contentBytes: 900_000,
  /** Over all branches. */
  messages: 2_000,
  nameCharacters: 100,
} as const;
