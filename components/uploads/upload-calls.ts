import type { Upload } from "#contract/upload.ts";
import { failureToast } from "@/components/ui/page/failure-toast";
import type { ToastOptions } from "@/components/ui/toast";
import { copyText } from "@/lib/browser/copy-text";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatCountdown } from "@/lib/format";
import type { Words } from "@/messages/words";

/** Verifies an upload, and reports the result. */
export function verifyUpload({ id }: Upload, t: Words<"uploads">): Promise<ToastOptions> {
  return explained(async () => {
    const verified = await fetchRoute("POST /uploads/{id}/verify", { params: { id }, body: {} });
    const rejected = verified.status === "rejected";
    return {
      title: rejected ? t("rejected") : t("verified"),
      ...(verified.error && { description: verified.error.message }),
      tone: rejected ? "bad" : "good",
    };
  });
}

/** Copies a new link to the file. */
export function copyUploadLink({ id }: Upload, t: Words<"uploads">): Promise<ToastOptions> {
  return explained(async () => {
    const fresh = await fetchRoute("GET /uploads/{id}", { params: { id } });
    if (!fresh.download_url) return { title: t("noLinkIsAvailable"), tone: "bad" };
    await copyText(fresh.download_url);
    const leftMs = Date.parse(fresh.url_expires_at) - Date.now();
    return {
      title: t("linkCopied"),
      description: t("anyoneWithTheLink", { time: formatCountdown(leftMs, t.language) }),
    };
  });
}

/** Turns a failure into its message. */
async function explained(call: () => Promise<ToastOptions>): Promise<ToastOptions> {
  try {
    return await call();
  } catch (error) {
    const failure = failureBehind(error as Error);
    if (!failure) throw error;
    return failureToast(failure);
  }
}
