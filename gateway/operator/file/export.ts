import type { RegionName } from "#contract/catalog.ts";
import type { ProvidersFileExport } from "#contract/operator-file.ts";
import type { ProviderEntry } from "#gateway/providers/file/schema.ts";
import type { ConnectionRow } from "../providers/read-connections.ts";
import type { Reading } from "../read-configuration.ts";

/**
 * The providers and routes of the console as a providers file, with those of the file that its routes use. A key that is
 * sealed becomes a variable, which is named in `environment`.
 */
export function exportFile({ connections, routes, file, configuration }: Reading): ProvidersFileExport {
  const environment: ProvidersFileExport["environment"] = [];
  const providers: Record<string, ProviderEntry> = {};
  for (const { row } of connections) if (row.goneAt === null) providers[row.name] = entryOf(row, environment);
  const entries = routes.map(({ row }) => row.entry);
  for (const { provider } of entries) {
    const ofFile = file?.content.providers[provider];
    if (ofFile) providers[provider] = ofFile;
  }
  const { unmapped } = configuration;
  const content = { ...(unmapped === "refuse" && { unmapped }), providers, routes: entries };
  return { object: "providers_file", file: content, environment };
}

export function entryOf(row: ConnectionRow, environment: ProvidersFileExport["environment"]): ProviderEntry {
  const { protocol, baseUrl, baseUrls, settings } = row;
  const regions = Object.keys(row.credentials) as RegionName[];
  const credentials = regions.map((region) => {
    const { ref, sealed } = row.credentials[region] ?? {};
    if (!ref && !sealed) return [region, {}];
    const env = ref?.startsWith("env:") ? ref.slice("env:".length) : variableOf(row.name, region, regions);
    environment.push({ name: env, provider: row.name, region });
    return [region, { env }];
  });
  return {
    protocol,
    ...(baseUrl !== null && { base_url: baseUrl }),
    ...(Object.keys(baseUrls).length > 0 && { base_urls: baseUrls }),
    credentials: Object.fromEntries(credentials),
    ...settings,
  };
}

/** `OPENAI_KEY`, or `DASHSCOPE_KEY_CN_BEIJING` where there are several regions. */
function variableOf(name: string, region: RegionName, regions: readonly RegionName[]): string {
  const whole = regions.length > 1 ? `${name} key ${region}` : `${name} key`;
  const word = whole.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
  return /^\d/.test(word) ? `_${word}` : word;
}
