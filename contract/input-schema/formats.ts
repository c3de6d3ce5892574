import { byName } from "../by-name.ts";

const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const clock = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[zZ]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const longestEmail = 254;

function isDate(text: string): boolean {
  const [, year, month, date] = day.exec(text) ?? [];
  if (!year || !month || !date || Number(month) < 1 || Number(month) > 12) return false;
  const last = new Date(Date.UTC(2000, 0, 1));
  last.setUTCFullYear(Number(year), Number(month), 0);
  return Number(date) >= 1 && Number(date) <= last.getUTCDate();
}

function isDateTime(text: string): boolean {
  // Splits into two parts, and at most a third: a long text could have millions of parts.
  const [date = "", time = "", more] = text.split(/[tT ]/, 3);
  return more === undefined && isDate(date) && clock.test(time);
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  return text.length <= longestEmail && at > 0 && at < text.length - 1 && !/\s/.test(text);
}

/**
 * The formats that both the gateway and the form check. All other formats only describe the value. `uri` is
 * not checked: such fields also accept an upload's id and a data URL.
 */
export const formats = byName<(text: string) => boolean>({
  date: isDate,
  "date-time": isDateTime,
  time: (text) => clock.test(text),
  email: isEmail,
  uuid: (text) => uuid.test(text),
});
