import type { Delivery } from "#contract/webhook.ts";
import { failureToast } from "@/components/ui/page/failure-toast";
import type { ToastOptions } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { refusalText } from "@/lib/webhooks/refusals";
import type { Words } from "@/messages/words";

/** Retries a delivery. Returns the new one, or a message that explains why not. */
export async function retryDelivery(
  t: Words<"webhooks">,
  id: string,
): Promise<{ ok: true; data: Delivery } | { ok: false; toast: ToastOptions }> {
  const answer = await answerOf(act("POST /webhooks/deliveries/{id}/retry", { params: { id } }));
  if (answer.ok) return answer;
  const toast = await failureToast(answer.error, t("retryNotQueued"));
  const known = refusalText(t, answer.error.code);
  return { ok: false, toast: known === null ? toast : { ...toast, description: known } };
}
