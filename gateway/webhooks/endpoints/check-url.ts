import type { Endpoint } from "#contract/webhook.ts";
import { ApiError } from "#gateway/core/api-error.ts";
import type { Config } from "#gateway/core/config.ts";
import { checkUrl, leadsToPublicAddress } from "#gateway/network/address-guard.ts";

const ownMachine = /^https?:\/\/(localhost|127\.|\[::1\])/i;

/** One warning for a name that resolves to nothing and for one that is private: it tells nobody's network. */
const warning = {
  code: "would_not_be_delivered",
  message:
    "Today this URL does not lead to a public address, so nothing would be delivered. Every delivery checks again.",
} as const;

interface CheckedEndpointUrl {
  /** The normalised URL to store. */
  url: string;
  /** Part of the answer. */
  warning?: NonNullable<Endpoint["warning"]>;
}

/** Checks a URL that is about to be saved. Throws `invalid_webhook_url` for one that can never be public. */
export async function checkedEndpointUrl(config: Config, text: string): Promise<CheckedEndpointUrl> {
  const checked = checkUrl(text, config.webhooks);
  if (!checked.ok) {
    const advice = ownMachine.test(text)
      ? "For a program on your own machine use `gatehouse listen`, which needs no endpoint."
      : "Use a public HTTPS address.";
    throw new ApiError("invalid_webhook_url", `This URL ${checked.reason}. ${advice}`, { param: "url" });
  }
  const { href: url } = checked.url;
  return (await leadsToPublicAddress(checked.url, config.webhooks)) ? { url } : { url, warning };
}
