import type { KeepRequest } from "#contract/outputs.ts";
import { failureToast } from "@/components/ui/page/failure-toast";
import type { ToastOptions } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { formatTime } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import type { Words } from "@/messages/words";

/**
 * Keeps an output and reports the result. Loaded at the first click, because most people never press the
 * button.
 */
export async function keepNow(
  id: string,
  body: KeepRequest,
  { t, timeZone, openLibrary }: { t: Words<"library">; timeZone: string; openLibrary: () => void },
): Promise<ToastOptions> {
  const answer = await answerOf(act("POST /outputs/{id}/keep", { params: { id }, body }));
  if (!answer.ok) return failureToast(answer.error, t("notKept"));
  const { kept_until: until } = answer.data;
  return {
    title: until
      ? t("keptUntilTime", { time: formatTime(until, timeZone, t.language) })
      : t("keptUntilSomebody"),
    tone: "good",
    action: { label: t("openLibrary"), onClick: openLibrary },
  };
}
