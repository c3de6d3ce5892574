import { spacedFigures } from "../../messages/marks.ts";
import type { Words } from "../../messages/words.ts";
import { dateLocale } from "../format.ts";

const day: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };
const minute: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

/**
 * A short label for a period without its end: `24 Nov` for a whole day, `24 Nov, 14:00 – 15:00`, `Since 24
 * Nov, 10:00`. `long` adds weekday and year.
 */
export function stretchLabel(
  t: Words<"ui">,
  after: string,
  before: string,
  timeZone: string,
  long = false,
): string {
  const shownDay = long ? ({ ...day, weekday: "short", year: "numeric" } as const) : day;
  const written = (atMs: number, options: Intl.DateTimeFormatOptions) =>
    spacedFigures(new Date(atMs).toLocaleString(dateLocale(t.language), { ...options, timeZone }));
  const join = (date: string, time: string) =>
    t.language === "zh-CN" ? `${date} ${time}` : `${date}, ${time}`;
  const dayOf = (atMs: number) => written(atMs, shownDay);
  const timeOf = (atMs: number) => written(atMs, minute);
  const isMidnight = (atMs: number) => timeOf(atMs) === "00:00";
  const whole = (atMs: number) => (isMidnight(atMs) ? dayOf(atMs) : join(dayOf(atMs), timeOf(atMs)));
  const [fromMs, toMs] = [Date.parse(after), Date.parse(before)];
  if (after === "" && before === "") return t("anyTime");
  if (before === "") return t("since", { time: Number.isNaN(fromMs) ? after : whole(fromMs) });
  if (after === "") return t("before", { time: Number.isNaN(toMs) ? before : whole(toMs) });
  if (Number.isNaN(fromMs) || Number.isNaN(toMs)) return `${after} – ${before}`;
  if (isMidnight(fromMs) && isMidnight(toMs)) {
    const [first, last] = [dayOf(fromMs), dayOf(toMs - 1)];
    return first === last ? first : `${first} – ${last}`;
  }
  const isOneDay = dayOf(fromMs) === dayOf(toMs);
  return `${join(dayOf(fromMs), timeOf(fromMs))} – ${isOneDay ? timeOf(toMs) : join(dayOf(toMs), timeOf(toMs))}`;
}
