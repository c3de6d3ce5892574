/** A time as a field of the type `datetime-local` takes it, in UTC or the browser's own zone; empty for none. */
export function toLocalInput(value: string, isUtc: boolean): string {
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) return "";
  const offsetMs = isUtc ? 0 : at.getTimezoneOffset() * 60_000;
  return new Date(at.getTime() - offsetMs).toISOString().slice(0, 19);
}

/** The time that such a field says; empty for none. */
export function fromLocalInput(value: string, isUtc: boolean): string {
  return value === "" ? "" : new Date(isUtc ? `${value}Z` : value).toISOString();
}
