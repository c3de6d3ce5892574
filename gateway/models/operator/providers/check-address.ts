import { isIP } from "node:net";
import type { RegionName } from "#contract/catalog.ts";
import { isCallable } from "#gateway/models/providers/http/http-client.ts";
import { baseUrlOf } from "#gateway/models/providers/protocols.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { isPublicAddress, refusedHostName } from "#gateway/platform/network/address-rules.ts";
import { resolveHost } from "#gateway/platform/network/resolve.ts";
import type { ConnectionRow } from "./read-connections.ts";

/**
 * Checks the addresses that a provider's calls would go to. Throws `invalid_parameter`, and
 * `private_address_not_allowed` if the operator has not allowed private addresses. Each connection is checked
 * again when it is opened.
 */
export async function checkAddresses(
  row: Pick<ConnectionRow, "protocol" | "baseUrl" | "baseUrls" | "credentials" | "allowPrivate">,
): Promise<void> {
  const entry = {
    protocol: row.protocol,
    ...(row.baseUrl !== null && { base_url: row.baseUrl }),
    base_urls: row.baseUrls,
  };
  for (const region of Object.keys(row.credentials) as RegionName[]) {
    const param = row.baseUrls[region] === undefined ? "base_url" : "base_urls";
    const text = baseUrlOf(entry, region);
    if (text === null)
      throw invalid(
        "base_urls",
        `The protocol ${row.protocol} has no address in ${region}: name it in base_urls, or leave the region out.`,
      );
    await checkAddress(text, row.allowPrivate, param);
  }
}

async function checkAddress(text: string, allowPrivate: boolean, param: string): Promise<void> {
  const url = URL.parse(text);
  if (!url) throw invalid(param, `${text} is not an address. Enter one like https://api.example.com/v1.`);
  if (url.username || url.password)
    throw invalid(param, "An address must not contain a name or password: enter the key as the credential.");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.+$/, "");
  const isLiteral = isIP(host) !== 0;
  if (isLiteral && !isCallable(host))
    throw invalid(
      param,
      `${host} is reserved for services of the machine or cloud, so a provider cannot use it.`,
    );
  if (allowPrivate) return;
  if (url.protocol !== "https:")
    throw notAllowed(
      param,
      `${text} is not encrypted (http), so a key and all data could be read on the way.`,
    );
  const isPrivate = isLiteral
    ? !isPublicAddress(host)
    : refusedHostName(host) !== null || (await leadsInside(host));
  if (isPrivate) throw notAllowed(param, `${host} is an address of a private network or of this machine.`);
}

/** A name that does not resolve is accepted here: the provider test reports it. */
async function leadsInside(host: string): Promise<boolean> {
  const found = await resolveHost(host).catch(() => []);
  return found.some(({ address }) => !isPublicAddress(address));
}

function invalid(param: string, message: string): ApiError {
  return new ApiError("invalid_parameter", message, { param });
}

function notAllowed(param: string, reason: string): ApiError {
  return new ApiError(
    "private_address_not_allowed",
    `${reason} If you intend that, allow private addresses for this provider (allow_private).`,
    { param },
  );
}
