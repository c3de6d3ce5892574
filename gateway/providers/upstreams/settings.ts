import type { Logger } from "pino";
import type { RegionName } from "#contract/catalog.ts";
import type { ProviderEntry } from "../file/schema.ts";
import { defaultTimeouts } from "../http/timeouts.ts";
import { protocolOf } from "../protocols.ts";
import type { UpstreamSettings } from "./upstream.ts";

const defaultInlineMaxBytes = 8 * 1024 * 1024;

/** The base URL of an entry in a region; null when neither the file nor the protocol names one. */
export function baseUrlOf(entry: ProviderEntry, region: RegionName): string | null {
  const { hosts } = protocolOf(entry.protocol);
  return entry.base_urls?.[region] ?? entry.base_url ?? hosts[region] ?? hosts.any ?? null;
}

/** The origins of a provider's base URLs, and those that the file names for its outputs. */
function ownOriginsOf(entry: ProviderEntry): Set<string> {
  const regions = Object.keys(entry.credentials) as RegionName[];
  const urls = [...regions.map((region) => baseUrlOf(entry, region)), ...(entry.output_origins ?? [])];
  return new Set(urls.flatMap((url) => (url === null ? [] : [new URL(url).origin])));
}

/** The settings of a checked entry. Keys are read from the environment here, once, and stay in this closure. */
export function settingsOf(
  name: string,
  entry: ProviderEntry,
  environment: Record<string, string | undefined>,
  log: Logger,
): UpstreamSettings {
  const { scheme, readFault } = protocolOf(entry.protocol);
  const keys = new Map<string, string>();
  for (const [region, credential] of Object.entries(entry.credentials)) {
    const env = credential?.env;
    const key = env === undefined ? undefined : environment[env]?.trim();
    if (key) keys.set(region, key);
  }
  const changed = Object.entries(entry.timeouts_ms ?? {}).map(([part, ms]) => [`${part}Ms`, ms]);
  return {
    name,
    timeouts: { ...defaultTimeouts, ...Object.fromEntries(changed) },
    media: entry.media ?? "data",
    inlineMaxBytes: entry.inline_max_bytes ?? defaultInlineMaxBytes,
    ownOrigins: ownOriginsOf(entry),
    baseUrl(region) {
      const url = baseUrlOf(entry, region);
      if (url === null) throw new Error(`${name} has no base URL in ${region}`);
      return url;
    },
    credential: (region) => keys.get(region) ?? null,
    scheme,
    readFault,
    log,
  };
}
