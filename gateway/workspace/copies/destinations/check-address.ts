import { ApiError } from "#gateway/platform/core/api-error.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { checkUrl } from "#gateway/platform/network/address-guard.ts";

/** The address of an S3 server as it is stored. Throws `invalid_destination` for one that can never be public. */
export function checkedAddress({ webhooks }: Pick<Config, "webhooks">, text: string): string {
  const checked = checkUrl(text, webhooks);
  if (!checked.ok)
    throw refused(`This address ${checked.reason}. Use the public https address of the server.`);
  if (checked.url.search !== "") throw refused("This address has a query (?…). Leave it out.");
  return checked.url.href.replace(/\/+$/, "");
}

function refused(message: string): ApiError {
  return new ApiError("invalid_destination", message, { param: "endpoint_url" });
}
