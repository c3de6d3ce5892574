import type { GatewayFailure } from "@/lib/gateway/result";
import type { ToastOptions } from "../toast.tsx";

/**
 * A toast for a failure: the fix, and the request id. `title` names the action that failed. The advice for
 * every code is loaded at the first failure, because few pages ever need it.
 */
export async function failureToast(failure: GatewayFailure, title?: string): Promise<ToastOptions> {
  const advice = await import("@/lib/status/failure-advice").then(
    ({ failureAdvice }) => failureAdvice(failure),
    () => ({ title: "The action failed", advice: failure.message }),
  );
  return {
    tone: "bad",
    title: title ?? advice.title,
    description: advice.advice,
    ...(failure.requestId && { requestId: failure.requestId }),
  };
}
