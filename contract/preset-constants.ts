/** The constants of presets, without their schemas, which pages do not need. */

/** `versions`: how many a preset keeps beside the current one; the oldest goes first. */
export const presetLimits = { perAccount: 1_000, inputBytes: 100_000, versions: 20 } as const;

export const presetFields = { name: { minLength: 1, maxLength: 100, pattern: "\\S" } } as const;
