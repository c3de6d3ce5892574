import { fullFormats } from "ajv-formats/dist/formats.js";

const { validate: hasForm } = fullFormats["date-time"] as { validate: (text: string) => boolean };
/** PostgreSQL's text form has four digits of a year after Christ. */
const earliest = Date.parse("0001-01-01T00:00:00Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/** RFC 3339 that is also a moment of JavaScript and PostgreSQL: a leap second is none, nor is the year 0. */
export function isDateTime(text: string): boolean {
  const time = Date.parse(text);
  return hasForm(text) && time >= earliest && time <= latest;
}
