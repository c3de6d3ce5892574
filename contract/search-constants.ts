/** Most results per group. */
export const foundLimit = { max: 20, default: 5 } as const;
