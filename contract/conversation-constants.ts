/** What may be saved of conversations. */
export const conversationLimits = {
  perAccount: 500,
  /** Of what is saved of one, as JSON. */
  contentBytes: 900_000,
  /** Of all branches together. */
  messages: 2_000,
  nameCharacters: 100,
} as const;
