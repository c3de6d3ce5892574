export const aliasLimits = { perAccount: 100, models: 8 } as const;

export const aliasFields = {
  name: { minLength: 1, maxLength: 200, pattern: "^[A-Za-z0-9][A-Za-z0-9._:@/-]*$" },
} as const;

/**
 * Why a request moves on to the next model of an alias: the upstream is busy, no upstream can be reached, the
 * input is too long for the model, the budget for the model's unit is used up, or, only for text, the
 * upstream failed or is silent. Limits of tokens of one model count as busy and too long. A request moves on
 * only before the caller has received any content.
 */
export const goOnReasons = ["busy", "down", "too_long", "budget", "failed", "slow"] as const;

export type GoOnReason = (typeof goOnReasons)[number];
