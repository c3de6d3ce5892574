import type { Endpoint } from "#contract/webhook.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { checkUrl, leadsToPublicAddress } from "#gateway/platform/network/address-guard.ts";

const ownMachine = /^https?:\/\/(localhost|127\.|\[::1\])/i;

/** The same warning for a name that does not resolve and one that is private: it reveals nothing about the network. */
const warning = {
  code: "would_not_be_delivered",
  message:
    "This URL does not resolve to a public address now, so nothing would be delivered. Every delivery checks again.",
} as const;

interface CheckedEndpointUrl {
  /** The normalised URL to store. */
  url: string;
  /** Shown in the answer. */
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
