/** The median of the values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * Compares round by round, so that other load affects both sides: the median of the ratios, and their range.
 */
export function ratioOf(
  values: readonly number[],
  others: readonly number[],
): { middle: number; span: string } {
  const ratios = values.map((value, round) => value / (others[round] ?? Number.NaN));
  return {
    middle: median(ratios),
    span: `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
  };
}

/** One line of a report: the measured value and whether it meets the goal. */
export function verdict(name: string, value: string, goal: string, holds: boolean): string {
  return `${name.padEnd(44)} ${value.padEnd(24)} goal ${goal.padEnd(10)} ${holds ? "holds" : "DOES NOT HOLD"}`;
}
