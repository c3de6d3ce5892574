import { callRoute, currentReach } from "./gateway.ts";
import { recordSession, sessionState } from "./session.ts";

/** Channel on which the browser's pages ask one another to check the session. */
const name = "gatehouse-session";
/** Wait after a failed attempt to open the stream. */
const retryMs = 2_000;

/** Asks the other pages of this browser to check the session after somebody signed in on this page. */
export function notifyOtherPages(): void {
  const channel = new BroadcastChannel(name);
  channel.postMessage("look");
  channel.close();
}

/**
 * Notices within a second that the session has ended or that another person has signed in. One stream serves
 * all pages of the browser, because a browser opens only few connections to a server. Returns a function that
 * stops watching.
 */
export function watchSession(): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const channel = new BroadcastChannel(name);
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /**
   * Sends a request with the current cookie. Its answer updates the state of session and gateway. Returns the
   * status.
   */
  const look = async (): Promise<number> => {
    const answer = await callRoute("GET /account", { signal }).catch(() => null);
    return answer?.ok ? 200 : (answer?.error.status ?? 0);
  };
  const open = (): void => {
    clearTimeout(retry);
    source?.close();
    if (signal.aborted) return;
    source = new EventSource("/api/gateway/account/sessions/current/events");
    source.addEventListener("ended", () => {
      source?.close();
      channel.postMessage("look");
      void look();
    });
    source.onerror = () => {
      void look().then((status) => {
        // The other pages have no stream, so they cannot notice that the gateway cannot be reached.
        if (currentReach() !== "reached") channel.postMessage("look");
        if (source?.readyState !== EventSource.CLOSED) return;
        // A gateway without extensions has no such stream.
        if (status === 404 || signal.aborted || sessionState() !== "open") return;
        retry = setTimeout(open, retryMs);
      });
    };
  };
  /** Keeps the stream open until this page is left. */
  const lead = (): Promise<void> => {
    open();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
  };

  channel.onmessage = () => {
    void look();
    // The cookie may belong to another session by now.
    if (source) open();
  };
  const onVisible = (): void => {
    if (document.visibilityState !== "visible") return;
    recordSession(0);
    // Without locks (plain http), the visible page opens the stream.
    if (!navigator.locks) open();
  };
  const onHidden = (): void => {
    if (document.visibilityState === "hidden" && !navigator.locks) source?.close();
  };
  if (navigator.locks) navigator.locks.request(name, { signal }, lead).catch(() => {});
  else onVisible();
  for (const listener of [onVisible, onHidden])
    document.addEventListener("visibilitychange", listener, { signal });
  // Other pages check the session too, because somebody may have just signed in on this page.
  channel.postMessage("look");

  return () => {
    stop.abort();
    clearTimeout(retry);
    source?.close();
    channel.close();
  };
}
