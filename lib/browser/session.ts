import { personCookie, personHeader } from "../person.ts";
import { createFollowed } from "./followed.ts";

/** Whether requests still use the session for which this page was rendered. */
export type SessionState = "open" | "ended" | "another";

const session = createFollowed<SessionState>("open");
export const sessionState = session.get;
export const onSessionState = session.follow;
const change = session.set;

/** The person for whom the page was rendered. Null on public pages. */
let person: string | null = null;

/** Updates the state from the status of a response. */
export function recordSession(status: number): void {
  if (isAnotherPerson()) change("another");
  else if (status === 401) change("ended");
  else if (status >= 200 && status < 300) change("open");
}

/** Whether another person has signed in with this browser since the page was rendered. */
export function isAnotherPerson(): boolean {
  const now = new RegExp(`(?:^|; )${personCookie}=([^;]*)`).exec(document.cookie)?.[1];
  return person !== null && now !== undefined && now !== person;
}

/** Thrown instead of sending a request for another person than the one for whom the page was rendered. */
export class AnotherPersonError extends Error {}

/**
 * Adds a header to every later request of this page: the person for whom the page was rendered. The server
 * refuses the request if another person is signed in. Next offers no way to add a header to its requests
 * (server actions and parts of pages), so this code replaces `fetch`. While another person is signed in,
 * actions fail and parts of pages wait, so that a page never mixes data of two people.
 */
export function beginPageOf(drawnFor: string): void {
  const isFirst = person === null;
  person = drawnFor;
  if (!isFirst) return;
  const send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    if (input instanceof Request || !isOwn(input)) return send(input, init);
    const headers = new Headers(init?.headers);
    if (isAnotherPerson()) {
      change("another");
      if (headers.has("next-action")) throw new AnotherPersonError();
      if (headers.has("rsc")) await untilOpen();
    }
    if (person !== null) headers.set(personHeader, person);
    return send(input, { ...init, headers });
  };
}

function isOwn(address: string | URL): boolean {
  return new URL(address, window.location.href).origin === window.location.origin;
}

function untilOpen(): Promise<void> {
  return new Promise((resolve) => {
    const stop = onSessionState(() => {
      if (sessionState() !== "open") return;
      stop();
      resolve();
    });
  });
}
