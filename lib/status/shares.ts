import { formatCount } from "../format.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `2026-11-23` as `23 Nov`. */
export function dayLabel(day: string): string {
  const [, month = "", date = ""] = day.split("-");
  return `${Number(date)} ${months[Number(month) - 1] ?? month}`;
}

/** The share of successful runs as text. */
export function shareLabel(share: number | null): string {
  return share === null ? "nothing ran" : `${Math.round(share * 1000) / 10} %`;
}

/** The look of a day: `good` without a noticeable fault, `bad` if at least a tenth of the runs failed. */
export type ShareLevel = "none" | "good" | "warn" | "bad";

const [noticeable, serious] = [0.99, 0.9];

export function levelOf(share: number | null): ShareLevel {
  if (share === null) return "none";
  if (share >= noticeable) return "good";
  return share > serious ? "warn" : "bad";
}

export interface DayShare {
  day: string;
  share: number | null;
}

/** The days as a sentence, which names only those with faults. */
export function describeDays(days: readonly DayShare[]): string {
  const ran = days.filter(({ share }) => share !== null);
  if (ran.length === 0) return `Nothing ran in ${formatCount(days.length, "day")}.`;
  const faults = ran.filter(({ share }) => share !== 1);
  const idle = days.length - ran.length;
  const named = faults.map(({ day, share }) => `${dayLabel(day)} ${shareLabel(share)}`).join(", ");
  return `${named ? `Days with faults: ${named}.` : "No faults."}${idle > 0 ? ` Nothing ran on ${formatCount(idle, "day")}.` : ""}`;
}
