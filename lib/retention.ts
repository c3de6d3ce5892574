import { formatCount } from "./format.ts";

/** `10 minutes`, `24 hours`. */
export function formatRetention(minutes: number): string {
  const hours = minutes / 60;
  return Number.isInteger(hours) && hours > 1 ? formatCount(hours, "hour") : formatCount(minutes, "minute");
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
