import { aliasFields } from "#contract/alias-constants.ts";
import { type ProviderSource, variableOfSource } from "#contract/operator/constants.ts";
import type { FileProposal, FileProposalCreate } from "#contract/operator/file.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { connectionsOf } from "#gateway/models/providers/file/check.ts";
import type { ProviderEntry, ProvidersFile } from "#gateway/models/providers/file/schema.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { checkEntry } from "../models/change-entry.ts";
import { entryOfConnection } from "../models/import/entry-of-upstream.ts";
import { planConnection } from "../providers/connect.ts";
import { modelsListed, testKey } from "../providers/providers.ts";
import type { ConvertedFile } from "./litellm/convert.ts";
import type { Finding } from "./litellm/left-out.ts";
import { modelIdOf } from "./litellm/names.ts";

/**
 * A file for an import, which changes nothing: LiteLLM's configuration as a file, or what a key of OpenRouter or
 * Replicate can run and, for the chosen models, their forms. Throws `invalid_parameter`,
 * `private_address_not_allowed` and `provider_test_failed`.
 */
export async function proposeFile(
  context: ModelsContext,
  requested: FileProposalCreate,
  left: AbortSignal,
): Promise<FileProposal> {
  const { from, text, key } = requested;
  if (from === "litellm") {
    if (text === undefined) throw invalidParameter("text", "Send the content of config.yaml as text.");
    return fromLiteLlm(context, text);
  }
  if (key === undefined) throw invalidParameter("key", `Send a key of ${from} as key.`);
  return fromKey(context, { ...requested, from, key }, left);
}

async function fromLiteLlm({ config, configuration }: ModelsContext, text: string): Promise<FileProposal> {
  const { convertLiteLlm } = await import("./litellm/convert.ts");
  const { file, keys, findings, calls } = convertLiteLlm(text, {
    region: config.homeRegion,
    today: today(),
    // The variables of the gateway are no business of a file.
    environment: {},
  });
  const { connections } = configuration.current.configuration;
  const isHere = (provider: string) =>
    connections.some(({ name, isGone }) => !isGone && name.toLowerCase() === provider.toLowerCase());
  const inClear = keys.map(({ variable, provider }) => ({
    place: `api_key of ${provider}`,
    reason: "The key is written in clear, so it is not carried over.",
    todo: isHere(provider)
      ? `${provider} exists here and keeps its key. If this key is another one, enter it at the provider.`
      : `Enter it as ${variable} when you import the file.`,
  }));
  return {
    object: "providers_file_proposal",
    file: { ...file },
    findings: [...inClear, ...findings],
    calls: calls.map((call) => ({ ...call, body: { ...call.body } })),
    listed: [],
    has_more: false,
  };
}

type KeyRequest = FileProposalCreate & { from: ProviderSource; key: string };

const sources = {
  openrouter: { protocol: "openai", base_url: "https://openrouter.ai/api/v1" },
  replicate: { protocol: "replicate", base_url: "https://api.replicate.com/v1" },
} as const;

async function fromKey(
  context: ModelsContext,
  { from, key, search = "", models: names = [], base_url, allow_private }: KeyRequest,
  left: AbortSignal,
): Promise<FileProposal> {
  const { protocol, base_url: usual } = sources[from];
  const region = context.config.homeRegion;
  const variable = variableOfSource[from];
  const provider: ProviderEntry = {
    protocol,
    base_url: base_url ?? usual,
    preset: from,
    credentials: { [region]: { env: variable } },
    ...(allow_private && { allow_private }),
  };
  // Checks the address and the key like those of a provider that is connected, and saves nothing.
  await planConnection(context, {
    // Nothing is saved, so a provider of this name in the file of the gateway is no obstacle.
    name: `proposal-of-${from}`,
    protocol,
    base_url: provider.base_url ?? usual,
    credentials: { [region]: { key } },
    ...(allow_private !== undefined && { allow_private }),
  });
  const file: ConvertedFile = { providers: { [from]: provider }, routes: [], models: {} };
  const [found] = connectionsOf(file as ProvidersFile, { [variable]: key });
  if (!found) throw new Error("The proposed file has no provider");
  const connection = { ...found, allowPrivate: allow_private === true };
  const { ok, message } = await testKey(connection, { region, key: null }, context.log);
  if (!ok) throw new ApiError("provider_test_failed", message);

  const aliases: NonNullable<ConvertedFile["aliases"]> = {};
  const findings: Finding[] = [];
  const made = await Promise.all(
    names.map(async (name) => {
      const id = modelIdOf(from, name);
      try {
        const request = { id, import: { provider: from, name } };
        const plan = await entryOfConnection({ connection, log: context.log, left }, request, today());
        checkEntry(plan.entry);
        return { id, name, ...plan };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        findings.push({
          place: name,
          reason: error.message,
          todo: "Choose another model, or make it from a template.",
        });
        return null;
      }
    }),
  );
  for (const one of made) {
    if (!one || one.id in file.models) continue;
    const { id, name, entry, upstreamModel, rename, notes } = one;
    const { id: _, ...content } = entry;
    file.models[id] = {
      source: { kind: "import", provider: from, name },
      entry: content as NonNullable<(typeof file.models)[string]["entry"]>,
    };
    const fields = Object.keys(rename).length > 0 ? { fields: { rename } } : {};
    file.routes.push({ models: [id], provider: from, upstream_model: upstreamModel ?? name, ...fields });
    if (id !== name && new RegExp(aliasFields.name.pattern).test(name)) aliases[name] = { models: [id] };
    findings.push(
      ...notes.map((reason) => ({
        place: name,
        reason,
        todo: "Change the model after the import if that is wrong.",
      })),
    );
  }
  if (Object.keys(aliases).length > 0) file.aliases = aliases;
  const { data, has_more } =
    names.length > 0
      ? { data: [], has_more: false }
      : await modelsListed(context, connection, { q: search, problem: null });
  return {
    object: "providers_file_proposal",
    file: { ...file },
    findings,
    calls: [],
    listed: data.map(({ id, description }) => ({ id, description })),
    has_more,
  };
}

function today(): string {
  return clock.date().toISOString().slice(0, 10);
}
