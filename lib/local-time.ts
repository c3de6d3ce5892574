/** A time as the value of a `datetime-local` field, in UTC or in the browser's zone. Empty if invalid. */
export function toLocalInput(value: string, isUtc: boolean): string {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) return "";
  const offsetMs = isUtc ? 0 : at.getTimezoneOffset() * 60_000;
  return new Date(at.getTime() - offsetMs).toISOString().slice(0, 19);
}

/** The time in such a field. Empty if the field is empty. */
export function fromLocalInput(value: string, isUtc: boolean): string {
  return value === "" ? "" : new Date(isUtc ? `${value}Z` : value).toISOString();
}
