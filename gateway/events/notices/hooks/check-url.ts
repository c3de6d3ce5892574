import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { checkUrl } from "#gateway/platform/network/address-guard.ts";

/** The address of a hook as it is stored. Throws `invalid_webhook_url` for one that can never be public; the message does not repeat it. */
export function checkedHookUrl({ webhooks }: Config, text: string): string {
  const checked = checkUrl(text, webhooks);
  if (checked.ok) return checked.url.href;
  throw new ApiError("invalid_webhook_url", `This URL ${checked.reason}. Use a public HTTPS address.`, {
    param: "url",
  });
}
