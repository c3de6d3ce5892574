import type { Config } from "#gateway/config.ts";
import { ApiError } from "#gateway/http/api-error.ts";
import { checkUrl, resolveAndCheck } from "#gateway/network/address-guard.ts";

const ownMachine = /^https?:\/\/(localhost|127\.|\[::1\])/i;

/** The normalised URL to store. Throws `invalid_webhook_url` for what the gateway must not call. */
export async function checkedEndpointUrl(config: Config, text: string): Promise<string> {
  const { ports, allowCidrs } = config.webhooks;
  const checked = checkUrl(text, { ports, allowCidrs });
  const resolved = checked.ok ? await resolveAndCheck(checked.url, { allowCidrs }) : checked;
  if (resolved.ok) return resolved.url.href;
  const advice = ownMachine.test(text)
    ? "For a program on your own machine use `gatehouse listen`, which needs no endpoint."
    : "Use a public HTTPS address.";
  throw new ApiError("invalid_webhook_url", `This URL ${resolved.reason}. ${advice}`, { param: "url" });
}
