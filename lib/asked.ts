import { askedNames } from "#contract/connection-constants.ts";
import type { AuthorizationAsked } from "#contract/connections.ts";
import type { SearchParams } from "./page-props.ts";

/** What a client asks for in the address of the consent page; null where it says something twice, so that nobody knows which counts. */
export function askedIn(search: SearchParams): AuthorizationAsked | null {
  const given = askedNames.flatMap((name) =>
    search[name] === undefined ? [] : [[name, search[name]] as const],
  );
  if (given.some(([, value]) => Array.isArray(value))) return null;
  return Object.fromEntries(given);
}
