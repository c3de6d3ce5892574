import type { Logger } from "pino";
import type { RegionName } from "#contract/catalog.ts";
import type { ProtocolName, ProviderEntry } from "../file/schema.ts";
import {
  type Fault,
  readDashScopeFault,
  readFalFault,
  readOpenAiFault,
  readReplicateFault,
} from "../http/fault.ts";
import { single } from "../http/retry-after.ts";
import { defaultTimeouts } from "../http/timeouts.ts";
import type { UpstreamSettings } from "./upstream.ts";

const defaultInlineMaxBytes = 8 * 1024 * 1024;

type Hosts = Partial<Record<RegionName, string>> & { any?: string };

/** Where each protocol's own service lives, for entries without a base URL. */
export const defaultHosts: Record<ProtocolName, Hosts> = {
  openai: { any: "https://api.openai.com/v1" },
  dashscope: {
    "cn-beijing": "https://dashscope.aliyuncs.com",
    "sg-singapore": "https://dashscope-intl.aliyuncs.com",
    "us-virginia": "https://dashscope-us.aliyuncs.com",
  },
  replicate: { any: "https://api.replicate.com/v1" },
  fal: { any: "https://queue.fal.run" },
};

const faults: Record<ProtocolName, (text: string) => Fault> = {
  openai: readOpenAiFault,
  dashscope: readDashScopeFault,
  replicate: readReplicateFault,
  fal: readFalFault,
};

/** The base URL of an entry in a region; null when neither the file nor the protocol names one. */
export function baseUrlOf(entry: ProviderEntry, region: RegionName): string | null {
  const hosts = defaultHosts[entry.protocol];
  return entry.base_urls?.[region] ?? entry.base_url ?? hosts[region] ?? hosts.any ?? null;
}

/** The settings of a checked entry. Keys are read from the environment here, once, and stay in this closure. */
export function settingsOf(
  name: string,
  entry: ProviderEntry,
  environment: Record<string, string | undefined>,
  log: Logger,
): UpstreamSettings {
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
    baseUrl(region) {
      const url = baseUrlOf(entry, region);
      if (url === null) throw new Error(`${name} has no base URL in ${region}`);
      return url;
    },
    credential: (region) => keys.get(region) ?? null,
    scheme: entry.protocol === "fal" ? "Key" : "Bearer",
    readFault(text, headers) {
      const fault = faults[entry.protocol](text);
      const kind = single(headers["x-fal-error-type"]);
      return kind ? { ...fault, code: fault.code ?? kind } : fault;
    },
    log,
  };
}
