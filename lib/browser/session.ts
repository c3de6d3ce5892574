import { personCookie, personHeader } from "../person.ts";

/** Whether requests still use the session that this page was rendered for. */
export type SessionState = "open" | "ended" | "another";

let state: SessionState = "open";
/** Who the page was rendered for; null on public pages. */
let person: string | null = null;
const listeners = new Set<() => void>();

export function sessionState(): SessionState {
  return state;
}

/** Calls `listener` on each change of the state. Returns a function that unsubscribes. */
export function onSessionState(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Updates the state from an answer's status. */
export function recordSession(status: number): void {
  if (isAnotherPerson()) change("another");
  else if (status === 401) change("ended");
  else if (status >= 200 && status < 300) change("open");
}

function change(next: SessionState): void {
  if (state === next) return;
  state = next;
  for (const listener of [...listeners]) listener();
}

/** Whether somebody else has signed in in this browser since the page was rendered. */
export function isAnotherPerson(): boolean {
  const now = new RegExp(`(?:^|; )${personCookie}=([^;]*)`).exec(document.cookie)?.[1];
  return person !== null && now !== undefined && now !== person;
}

/** Thrown instead of sending a request on behalf of somebody else than the page was rendered for. */
export class AnotherPersonError extends Error {}

/**
 * From now on every request of this page states who the page was rendered for, so that the server can refuse
 * it for anybody else. Next gives its own requests (server actions and parts of pages) no header of ours, so
 * `fetch` itself adds it. While somebody else is signed in, actions fail and parts of pages wait, so that
 * data of two people is never mixed on a page.
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
      if (state !== "open") return;
      stop();
      resolve();
    });
  });
}
