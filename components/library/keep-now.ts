import type { KeepRequest } from "#contract/outputs.ts";
import { failureToast } from "@/components/ui/page/failure-toast";
import type { ToastOptions } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

/**
 * Keeps an output and reports the result. Loaded at the first click, because most people never press the
 * button.
 */
export async function keepNow(id: string, body: KeepRequest, addLabels: () => void): Promise<ToastOptions> {
  const answer = await answerOf(act("POST /outputs/{id}/keep", { params: { id }, body }));
  if (!answer.ok) return failureToast(answer.error, "Not kept");
  return {
    title: "Kept in the library",
    tone: "good",
    action: { label: "Add labels", onClick: addLabels },
  };
}
