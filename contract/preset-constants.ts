/** The constants of presets, without their schemas, which pages do not need. */

/**
 * `versions`: most versions that a preset keeps in addition to the current one. The oldest is removed first.
 */
export const presetLimits = { perAccount: 1_000, inputBytes: 100_000, versions: 20 } as const;

export const presetFields = { name: { minLength: 1, maxLength: 100, pattern: "\\S" } } as const;
