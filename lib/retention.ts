import { formatCount } from "./format.ts";

/** `10 minutes`, `24 hours`. */
export function formatRetention(minutes: number): string {
  const hours = minutes / 60;
  return Number.isInteger(hours) && hours > 1 ? formatCount(hours, "hour") : formatCount(minutes, "minute");
}

/** The values of a message that says a retention: `{ unit: "hours", count: 24 }`. */
export function retentionIn(minutes: number): { unit: "hours" | "minutes"; count: number } {
  const hours = minutes / 60;
  return Number.isInteger(hours) && hours > 1
    ? { unit: "hours", count: hours }
    : { unit: "minutes", count: minutes };
}

/** Why something is gone: the account's own retention (null: that of the installation). */
export function whyRemoved(minutes: number | null): string {
  return minutes === null
    ? "after the retention time"
    : `after ${formatRetention(minutes)}, as the account’s owner chose`;
}

/** Why nothing can be kept. */
export function whyNothingKept(minutes: number): string {
  return `An owner chose that this account removes inputs and outputs ${formatRetention(minutes)} after a run, so nothing can be saved here.`;
}
