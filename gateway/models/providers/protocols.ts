import type { Logger } from "pino";
import type { RegionName } from "#contract/catalog.ts";
import type { ProviderProtocol } from "#contract/operator/constants.ts";
import { anthropic } from "./anthropic/provider.ts";
import { type Connection, onlyKey } from "./configuration.ts";
import { dashScope } from "./dashscope/provider.ts";
import { fal } from "./fal/provider.ts";
import type { ProviderEntry } from "./file/schema.ts";
import { defaultTimeouts } from "./http/http-client.ts";
import { openAi } from "./openai/provider.ts";
import type { Protocol } from "./protocol.ts";
import { replicate } from "./replicate/provider.ts";
import { openAiResponses } from "./responses/provider.ts";
import type { UpstreamSettings } from "./upstreams/upstream.ts";

/** The protocols that a providers file may name. */
export const protocols: readonly Protocol[] = Object.values<Protocol>({
  openai: openAi,
  "openai-responses": openAiResponses,
  anthropic,
  dashscope: dashScope,
  replicate,
  fal,
} satisfies Record<ProviderProtocol, Protocol>);

/** Throws for an unknown name; such a name cannot occur, because the check of the file refuses it. */
export function protocolOf(name: string): Protocol {
  const protocol = protocols.find((one) => one.name === name);
  if (!protocol) throw new Error(`There is no protocol ${name}`);
  return protocol;
}

const defaultInlineMaxBytes = 8 * 1024 * 1024;

const noKeys = onlyKey(null);

type Addresses = Pick<ProviderEntry, "protocol" | "base_url" | "base_urls">;

/** The base URL of a provider in a region; null if neither the provider nor its protocol has one. */
export function baseUrlOf(entry: Addresses, region: RegionName): string | null {
  const { hosts } = protocolOf(entry.protocol);
  return entry.base_urls?.[region] ?? entry.base_url ?? hosts[region] ?? hosts.any ?? null;
}

/** The origins of a provider's base URLs, and those listed for its outputs. */
function ownOriginsOf({ entry, keys }: Connection): Set<string> {
  const urls = [...keys.keys()].map((region) => baseUrlOf(entry, region));
  const all = [...urls, ...(entry.output_origins ?? [])];
  return new Set(all.flatMap((url) => (url === null ? [] : [new URL(url).origin])));
}

/** The settings of a connection; only this closure holds its keys. */
export function settingsOf(connection: Connection, log: Logger): UpstreamSettings {
  const { name, entry, keys, allowPrivate } = connection;
  const { scheme, headers = {}, readFault } = protocolOf(entry.protocol);
  const changed = Object.entries(entry.timeouts_ms ?? {}).map(([part, ms]) => [`${camelCase(part)}Ms`, ms]);
  return {
    name,
    timeouts: { ...defaultTimeouts, ...Object.fromEntries(changed) },
    media: entry.media ?? "data",
    inlineMaxBytes: entry.inline_max_bytes ?? defaultInlineMaxBytes,
    ownOrigins: ownOriginsOf(connection),
    allowPrivate,
    baseUrl(region) {
      const url = baseUrlOf(entry, region);
      if (url === null) throw new Error(`${name} has no base URL in ${region}`);
      return url;
    },
    keys: (region) => keys.get(region) ?? noKeys,
    scheme,
    sendsTrace: entry.send_traceparent,
    headers,
    readFault,
    log,
  };
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
