import type { GatewayFailure } from "@/lib/gateway/result";
import type { ToastOptions } from "../toast.tsx";

/**
 * A toast for a failure: the fix, and the request id. `title` names the action that failed. The advice for
 * every code is loaded at the first failure, because few pages ever need it.
 */
export async function failureToast(failure: GatewayFailure, title?: string): Promise<ToastOptions> {
  const advice = await adviceFor(failure).catch(() => ({
    title: failure.message,
    advice: "",
    original: null,
  }));
  return {
    tone: "bad",
    title: title ?? advice.title,
    description: advice.original ? `${advice.advice}（${advice.original}）` : advice.advice,
    ...(failure.requestId && { requestId: failure.requestId }),
  };
}

async function adviceFor(failure: GatewayFailure) {
  const [{ failureAdvice }, { loadFailureWords, shownLanguage }] = await Promise.all([
    import("@/lib/status/failure-advice"),
    import("@/lib/status/failure-words"),
  ]);
  return failureAdvice(failure, await loadFailureWords(shownLanguage()));
}
