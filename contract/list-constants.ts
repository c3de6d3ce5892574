/** Page size bounds of every list (contract: `limit` 1..100, 20 by default). */
export const pageLimit = { min: 1, max: 100, default: 20 } as const;
