import { personCookie, personHeader } from "../person.ts";

/** Whether the session that this page was drawn for is still the one that its requests use. */
export type SessionState = "open" | "ended" | "another";

let state: SessionState = "open";
/** For whom the page was drawn; null on pages for everybody. */
let person: string | null = null;
const listeners = new Set<() => void>();

export function sessionState(): SessionState {
  return state;
}

/** Calls `listener` at each change of the state, until the returned function is called. */
export function onSessionState(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Notes what an answer with this status says of the session. */
export function tellSession(status: number): void {
  if (isAnotherPerson()) change("another");
  else if (status === 401) change("ended");
  else if (status >= 200 && status < 300) change("open");
}

function change(next: SessionState): void {
  if (state === next) return;
  state = next;
  for (const listener of [...listeners]) listener();
}

/** Whether somebody else has signed in in this browser since the page was drawn. */
export function isAnotherPerson(): boolean {
  const now = new RegExp(`(?:^|; )${personCookie}=([^;]*)`).exec(document.cookie)?.[1];
  return person !== null && now !== undefined && now !== person;
}

/** Thrown by a request that would be made as somebody else than the page was drawn for; nothing was sent. */
export class AnotherPersonError extends Error {}

/**
 * Every request of this page says from now on for whom the page was drawn, so that the server can refuse it to another.
 * Next's own requests, for server actions and parts of pages, take no header of ours, so `fetch` itself adds it. While
 * somebody else is signed in an action is not sent, and a part of a page waits: nothing of one person is mixed into the page
 * of another.
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
