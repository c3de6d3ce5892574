import type { OwnHeaders } from "../endpoints/own-headers.ts";

const hidden = "[hidden]";
/** A shorter value is no secret, and would be found in words that have nothing to do with it. */
const shortestSecret = 8;

/** The headers of a request, as they are sent. */
export function withOwnHeaders(headers: Record<string, string>, own: OwnHeaders): Record<string, string> {
  return { ...headers, ...Object.fromEntries(own) };
}

/** The same as the log shows them. */
export function withHiddenHeaders(headers: Record<string, string>, own: OwnHeaders): Record<string, string> {
  return { ...headers, ...Object.fromEntries(own.map(([name]) => [name, hidden])) };
}

/** What a receiver answered, without the values that it repeats. */
export function withoutValues(text: string, own: OwnHeaders): string {
  return own.reduce(
    (rest, [, value]) => (value.length < shortestSecret ? rest : rest.replaceAll(value, hidden)),
    text,
  );
}
