import { createFollowed } from "./followed.ts";

/**
 * Scripts of late parts that failed because nothing could be reached. Without this, the part's error would
 * reach the error page, which loads the page again: offline, that ends on the browser's error page. A script
 * that the console answers with an error is gone (a new version was deployed), and fails as before.
 */
const retryMs = 2_000;

const waiting = new Set<HTMLScriptElement>();
/** Whether a part of this page waits for the connection. */
const isWaiting = createFollowed(false);
export const isPartWaiting = isWaiting.get;
export const onPartWaiting = isWaiting.follow;

if (typeof window !== "undefined")
  window.addEventListener(
    "error",
    (event) => {
      const script = event.target;
      if (!(script instanceof HTMLScriptElement) || !script.src.includes("/_next/static/")) return;
      // The bundler's own handler would reject the part for good.
      event.stopImmediatePropagation();
      void load(script, event);
    },
    true,
  );

/** Loads the script as soon as it can be reached. The bundler then finds the part that it waits for. */
async function load(failed: HTMLScriptElement, event: Event): Promise<void> {
  const answer = await whenReached(failed);
  if (!answer.ok || "again" in failed.dataset) return void failed.onerror?.(event);
  const next = document.createElement("script");
  next.setAttribute("src", failed.getAttribute("src") ?? "");
  next.dataset.again = "";
  next.onerror = failed.onerror;
  failed.replaceWith(next);
}

async function whenReached(script: HTMLScriptElement): Promise<Response> {
  for (;;) {
    try {
      const answer = await fetch(script.src);
      waiting.delete(script);
      isWaiting.set(waiting.size > 0);
      return answer;
    } catch {
      waiting.add(script);
      isWaiting.set(true);
      await connectionOrPause();
    }
  }
}

/** Waits until the browser is online again. It may also be wrong about that, so the wait has an end. */
function connectionOrPause(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, retryMs);
    window.addEventListener("online", done);
  });
}
