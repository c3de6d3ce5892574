import type { GatewayFailure } from "@/lib/gateway/result";
import { failureAdvice } from "@/lib/status/failure-advice";
import type { ToastOptions } from "./toast.tsx";

/** The message for a failure: its fix, and the request id to quote. `title` says what was not done. */
export function failureToast(failure: GatewayFailure, title?: string): ToastOptions {
  const advice = failureAdvice(failure);
  return {
    tone: "bad",
    title: title ?? advice.title,
    description: advice.advice,
    ...(failure.requestId && { requestId: failure.requestId }),
  };
}
