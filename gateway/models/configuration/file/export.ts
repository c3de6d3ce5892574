import type { RegionName } from "#contract/catalog.ts";
import { fileLimits } from "#contract/operator/constants.ts";
import type { ProvidersFileExport } from "#contract/operator/file.ts";
import type { RouteEntry } from "#contract/operator/routes.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { refusedOf } from "#gateway/models/providers/file/expand-route.ts";
import type { ProviderEntry } from "#gateway/models/providers/file/schema.ts";
import { yieldToEventLoop } from "#gateway/platform/core/event-loop.ts";
import { countValues, maxBodyValues } from "#gateway/platform/http/body-bounds.ts";
import { type ConnectionRow, hasSecret, keysOf } from "../providers/read-connections.ts";
import { exportAliases } from "./aliases.ts";
import { exportModels } from "./models.ts";
import { exportPrices } from "./prices.ts";

/**
 * The configuration as a file: routes, models, aliases, prices and providers, including the file's providers that the routes
 * use. A sealed key becomes a variable, which `environment` lists. A route that an import would refuse, such
 * as one with a deleted provider, is left out and listed in `notes`, as are prices beyond `fileLimits`.
 */
export async function exportFile(context: ModelsContext): Promise<ProvidersFileExport> {
  const { configuration, database } = context;
  const reading = configuration.current;
  const { file } = reading;
  const environment: Variables = [];
  const providers: Record<string, ProviderEntry> = {};
  const inUse = reading.connections
    .filter(({ row }) => row.goneAt === null && row.leavingAt === null)
    // Sorted by name, so that an import elsewhere uses the same variables.
    .sort((one, other) => (one.row.name < other.row.name ? -1 : 1));
  const taken = new Set(
    inUse.flatMap(({ row }) => Object.values(row.credentials).flatMap(keysOf).map(variableOfReference)),
  );
  for (const { row } of inUse) providers[row.name] = entryOf(row, environment, taken);
  const notes: string[] = [];
  const routes: RouteEntry[] = [];
  for (const { row, problems } of reading.routes) {
    const wrong = refusedOf(problems);
    const { entry } = row;
    if (wrong)
      notes.push(
        `The route of ${entry.models.join(", ")} is left out: ${wrong.at.slice(1)} ${wrong.problem}.`,
      );
    else routes.push(entry);
    const ofFile = file?.content.providers[entry.provider];
    if (ofFile) providers[entry.provider] = ofFile;
  }
  const models = await exportModels(database.queries);
  const [aliases, prices] = await Promise.all([exportAliases(context), exportPrices(context)]);
  notes.push(...aliases.notes, ...prices.notes);
  const { unmapped } = reading.configuration;
  const content = {
    ...(unmapped === "refuse" && { unmapped }),
    providers,
    routes,
    ...(Object.keys(models).length > 0 && { models }),
    ...(Object.keys(aliases.aliases).length > 0 && { aliases: aliases.aliases }),
  };
  const whole = await withPrices(content, prices.part, notes);
  return { object: "providers_file", file: whole, environment, notes };
}

/** The values of an import's body that are not the file's. */
const valuesBeside = 1_000;
const sizeOf = (text: string) => ({ bytes: Buffer.byteLength(text), values: countValues(text).values });
const fits = ({ bytes, values }: ReturnType<typeof sizeOf>) =>
  bytes <= fileLimits.bytes && values <= maxBodyValues - valuesBeside;

/** Adds as many of the prices as an import of the file takes, by the measures of an import. */
async function withPrices(
  content: object,
  { prices = [], ...currency }: Awaited<ReturnType<typeof exportPrices>>["part"],
  notes: string[],
): Promise<ProvidersFileExport["file"]> {
  const size = sizeOf(JSON.stringify({ ...content, ...currency, prices: [] }));
  if (!fits(size))
    notes.push(
      `The file is too large to be imported as one, even without prices: an import takes ${limits}. Divide its models and routes over several files.`,
    );
  const kept: typeof prices = [];
  const othersRun = yieldToEventLoop();
  for (const price of prices.slice(0, fileLimits.prices)) {
    const { bytes, values } = sizeOf(`,${JSON.stringify(price)}`);
    size.bytes += bytes;
    size.values += values - 1;
    if (!fits(size)) break;
    kept.push(price);
    await othersRun();
  }
  if (kept.length < prices.length)
    notes.push(
      `${prices.length - kept.length} of ${prices.length} prices are left out: an import takes ${limits}. Copy the others with GET /v1/operator/prices and POST /v1/operator/prices/import.`,
    );
  return kept.length === 0 ? { ...content } : { ...content, ...currency, prices: kept };
}

const limits = `at most ${fileLimits.bytes / 1e6} MB, ${maxBodyValues - valuesBeside} values and ${fileLimits.prices} prices`;

type Variables = ProvidersFileExport["environment"];

/** `taken`: variables of other keys. */
export function entryOf(
  row: ConnectionRow,
  environment: Variables,
  taken = new Set<string | undefined>(),
): ProviderEntry {
  const { protocol, preset, baseUrl, baseUrls, allowPrivate, settings } = row;
  const regions = Object.keys(row.credentials) as RegionName[];
  const credentials = regions.map((region) => {
    const keys = keysOf(row.credentials[region] ?? {});
    if (!keys.some(hasSecret)) return [region, {}];
    const named = keys.map(({ sealed: _, hint: __, ref, ...rules }) => {
      const env = variableOfReference({ ref }) ?? free(variableOf(row.name, region, regions), taken);
      taken.add(env);
      environment.push({ name: env, provider: row.name, region });
      return { ...rules, env };
    });
    const [first] = named;
    const isPlain = named.length === 1 && first && Object.keys(first).length === 2;
    return [region, isPlain ? { env: first.env } : { keys: named }];
  });
  return {
    protocol,
    ...(baseUrl !== null && { base_url: baseUrl }),
    ...(Object.keys(baseUrls).length > 0 && { base_urls: baseUrls }),
    credentials: Object.fromEntries(credentials),
    ...settings,
    ...(preset !== null && { preset }),
    ...(allowPrivate && { allow_private: true }),
  };
}

function variableOfReference({ ref }: { ref?: string | undefined }): string | undefined {
  return ref?.startsWith("env:") ? ref.slice("env:".length) : undefined;
}

/** The name, with a number appended if another key already uses it. */
function free(name: string, taken: ReadonlySet<string | undefined>): string {
  let number = 1;
  let found = name;
  while (taken.has(found)) {
    number += 1;
    found = `${name}_${number}`;
  }
  return found;
}

/** `OPENAI_KEY`, or `DASHSCOPE_KEY_CN_BEIJING` for a provider with several regions. */
function variableOf(name: string, region: RegionName, regions: readonly RegionName[]): string {
  const whole = regions.length > 1 ? `${name} key ${region}` : `${name} key`;
  const word = whole.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
  return /^\d/.test(word) ? `_${word}` : word;
}
