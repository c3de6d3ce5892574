/** The values of a message that says a retention: `{ unit: "hours", count: 24 }`. */
export function retentionIn(minutes: number): { unit: "hours" | "minutes"; count: number } {
  const hours = minutes / 60;
  return Number.isInteger(hours) && hours > 1
    ? { unit: "hours", count: hours }
    : { unit: "minutes", count: minutes };
}
