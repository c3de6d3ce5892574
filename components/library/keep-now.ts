import type { KeepRequest } from "#contract/outputs.ts";
import { failureToast } from "@/components/ui/page/failure-toast";
import type { ToastOptions } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatTime } from "@/lib/format";
import { act } from "@/lib/gateway/act";

/**
 * Keeps an output and reports the result. Loaded at the first click, because most people never press the
 * button.
 */
export async function keepNow(
  id: string,
  body: KeepRequest,
  timeZone: string,
  openLibrary: () => void,
): Promise<ToastOptions> {
  const answer = await answerOf(act("POST /outputs/{id}/keep", { params: { id }, body }));
  if (!answer.ok) return failureToast(answer.error, "Not kept");
  const { kept_until: until } = answer.data;
  return {
    title: `Kept until ${until ? formatTime(until, timeZone) : "somebody removes it"}`,
    tone: "good",
    action: { label: "Open library", onClick: openLibrary },
  };
}
