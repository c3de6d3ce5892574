import type { Logger } from "pino";
import type { ApiType, InputModality, JsonSchema, RegionName } from "#contract/catalog.ts";
import { kindTemplates } from "#contract/catalog-constants.ts";
import type { OperatorModelCreate } from "#contract/operator/models.ts";
import { inputSchema, mediaList, prompt } from "#gateway/models/catalog/entries/pieces.ts";
import { templateEntries } from "#gateway/models/catalog/entries.ts";
import { type Entry, invalidSchema } from "#gateway/models/catalog/entry.ts";
import { landscapeImage } from "#gateway/models/catalog/example-media.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import type { Connection } from "#gateway/models/providers/configuration.ts";
import type { AskAboutModel, ListedModel } from "#gateway/models/providers/descriptions.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import { baseUrlOf, protocolOf, settingsOf } from "#gateway/models/providers/protocols.ts";
import { Upstream } from "#gateway/models/providers/upstreams/upstream.ts";
import { ApiError, invalidParameter } from "#gateway/platform/core/api-error.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { changeEntry } from "../change-entry.ts";
import { entryOfTemplate } from "../entry-of-template.ts";
import { type EntryPlan, entryOfImport } from "./entry-of-import.ts";

type ModelRequest = OperatorModelCreate & { import: NonNullable<OperatorModelCreate["import"]> };

/** Asks a provider for a model's description, and proposes an entry. Throws the errors of `planModel`. */
export async function entryOfUpstream(
  context: ModelsContext,
  requested: ModelRequest,
  today: string,
  left: AbortSignal,
): Promise<EntryPlan> {
  const { import: from } = requested;
  const connection = findConnection(context, from.provider);
  return entryOfConnection({ connection, log: context.log, left }, requested, today);
}

/** As `entryOfUpstream`, for a connection that need not be saved. */
export async function entryOfConnection(
  { connection, log, left }: Omit<Asking, "region">,
  requested: ModelRequest,
  today: string,
): Promise<EntryPlan> {
  const { id, import: from } = requested;
  const offered = [...connection.keys.keys()];
  const [region] = offered;
  if (!region)
    throw invalidParameter(
      "import.provider",
      `${connection.name} has no credentials in any region. Add them for one region first.`,
    );
  const { describeModel } = protocolOf(connection.entry.protocol).facts;
  if (!describeModel)
    throw invalidParameter(
      "import.provider",
      `${connection.entry.protocol} does not describe its models. Create the entry from a template and route it to ${connection.name}.`,
    );
  const found = await describeModel(askAboutModel({ connection, region, log, left }, from.name), from.name);
  const at = { id, regions: requested.regions ?? offered, today, apiType: from.api_type };
  if ("listed" in found)
    return { ...entryOfListed(templateEntries, found.listed, at), provider: connection.name };
  const plan = entryOfImport(found.model, { ...at, prompt: requested.fields?.prompt });
  return { ...plan, provider: connection.name };
}

/** Finds a connection by id, or by name, ignoring case. */
function findConnection(context: ModelsContext, named: string): Connection {
  const { connections, configuration } = context.configuration.current;
  const byId = connections.find(({ row }) => row.id === named)?.connection.name;
  const name = (byId ?? named).toLowerCase();
  const found = configuration.connections.find((connection) => connection.name.toLowerCase() === name);
  if (found && !found.isLeaving) return found;
  throw invalidParameter(
    "import.provider",
    `There is no provider ${named}. GET /v1/operator/providers lists them.`,
  );
}

/** How long a provider may take to describe a model. */
const describeMs = 20_000;

interface Asking {
  connection: Connection;
  region: RegionName;
  log: Logger;
  left: AbortSignal;
}

/** Reads descriptions of the model `name` from a connection. */
function askAboutModel({ connection, region, log, left }: Asking, name: string): AskAboutModel {
  const unknown = (more = "") =>
    new ApiError("model_not_found", `${connection.name} has no model ${name}.${more}`, {
      param: "import.name",
    });
  return {
    base: URL.parse(baseUrlOf(connection.entry, region) ?? ""),
    unknown,
    async first(paths, base) {
      const elsewhere = base === undefined ? {} : { base_url: base, base_urls: {} };
      const there = { ...connection, entry: { ...connection.entry, ...elsewhere } };
      const upstream = new Upstream(settingsOf(there, log));
      const signal = AbortSignal.any([AbortSignal.timeout(describeMs), left]);
      const gone = () => new ProviderError("model_not_found", "", { started: "no" });
      try {
        for (const path of paths)
          try {
            return await upstream.json({ region, signal }, { method: "GET", path, gone, wait: "job" });
          } catch (error) {
            if (!(error instanceof ProviderError) || error.code !== "model_not_found") throw error;
          }
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        const message = `${connection.name} could not be asked about ${name}: ${error.message}`;
        throw new ApiError(error.code, message, { cause: error });
      } finally {
        await upstream.close();
      }
      throw unknown();
    },
  };
}

/** A model list contains little more than names, so words in the names decide the kind. */
const byName: [ApiType | "other", RegExp][] = [
  ["rerank", /rerank/i],
  ["embeddings", /embed|\bbge-|\be5-|\bgte-|minilm/i],
  ["other", /moderation|guard|realtime|clip-vit|search-/i],
  ["audio-transcription", /whisper|transcri|\basr\b|parakeet|canary/i],
  ["text-to-speech", /\btts\b|speech|kokoro|orpheus|voice/i],
  ["video-generation", /\bsora|video|veo-|\bwan|t2v|i2v/i],
  ["image-editing", /image-edit|kontext|\bedit\b/i],
  ["image-generation", /dall-e|gpt-image|image|flux|stable-diffusion|sdxl|imagen|seedream/i],
  ["chat-completions", /./],
];
/** The template for each kind. */
const templates: Partial<Record<ApiType, string>> = {
  "chat-completions": "svc/chat-1",
  "text-to-speech": "svc/tts-b-2",
  "audio-transcription": "svc/asr-3",
  "image-generation": "svc/img-gen-b",
  "image-editing": "svc/adult-edit",
  "video-generation": "svc/vid-t2v",
  ...kindTemplates,
};
const maxRequestBytes = 4_000_000;

const pictureReaders = /\b(gpt-4o(?!.*audio)|gpt-4\.1|gpt-5|claude-(3|opus|sonnet|haiku)|gemini)/i;

/** Whether the name is that of a well-known chat model that reads pictures: lists of models seldom say it. */
export function readsPictures(name: string): boolean {
  return pictureReaders.test(name);
}

/**
 * An entry for a model listed by a server of OpenAI's API, from the template of its kind. Throws
 * `invalid_schema`.
 */
export function entryOfListed(
  entries: readonly Entry[],
  { name, contextTokens, outputTokens, reads }: ListedModel,
  { apiType, ...at }: { id: string; regions: Entry["regions"]; today: string; apiType: ApiType | undefined },
): EntryPlan {
  const guessed = byName.find(([, words]) => words.test(name))?.[0] ?? "chat-completions";
  const kind = apiType ?? guessed;
  if (kind === "other")
    throw invalidSchema(
      `${name} cannot be imported: its name suggests moderation or search, and no kind of operation does that. If that is wrong, set the kind in import.api_type.`,
      "import.name",
    );
  const model = templates[kind];
  if (!model)
    throw invalidSchema(`${kind} cannot be imported from a server of OpenAI's API.`, "import.api_type");
  const copy = entryOfTemplate(entries, { model, api_type: kind }, at);
  const known: InputModality[] = reads ?? (readsPictures(name) ? ["text", "image"] : []);
  const plain = changeEntry(copy, {
    safety_requirements: { adult_attestation_required: false, minimum_age: null },
    ...(kind === "chat-completions" && known.length > 1 && { input_modalities: known }),
  });
  const notes = apiType ? [] : [`Its name suggests ${kind}. Choose another kind if that is wrong.`];
  const entry = adapted(plain, kind, { contextTokens, outputTokens });
  return { entry, upstreamModel: name, rename: {}, notes };
}

/**
 * The template with the parameters that servers of this kind accept, instead of those of one specified model.
 */
function adapted(entry: Entry, kind: ApiType, tokens: Tokens): Entry {
  if (kind === "chat-completions") return chat(entry, tokens);
  if (kind === "image-generation") return pictures(entry, ["prompt"], {});
  if (kind === "image-editing") {
    const image = mediaList("image", { minItems: 1, maxItems: 16 }, "Images", "The images to edit.");
    return pictures(entry, ["image", "prompt"], { image }, { image: [landscapeImage] });
  }
  return entry;
}

type Tokens = Pick<ListedModel, "contextTokens" | "outputTokens">;

function chat(entry: Entry, { contextTokens, outputTokens }: Tokens): Entry {
  const [operation] = entry.operations;
  if (!operation) return entry;
  const { reasoning_effort: _, max_tokens: tokens, ...fields } = recordOf(operation.input_schema.properties);
  const longest = { ...recordOf(tokens), ...(outputTokens !== null && { maximum: outputTokens }) };
  return {
    ...entry,
    max_gateway_request_bytes: maxRequestBytes,
    ...(contextTokens !== null && { context_window_tokens: contextTokens }),
    ...(outputTokens !== null && { max_output_tokens: outputTokens }),
    operations: [
      {
        ...operation,
        input_schema: { ...operation.input_schema, properties: { ...fields, max_tokens: longest } },
        limits: {
          maxRequestBytes: maxRequestBytes,
          ...(contextTokens !== null && { contextWindowTokens: contextTokens }),
          ...(outputTokens !== null && { maxOutputTokens: outputTokens }),
        },
      },
    ],
  };
}

const longestPrompt = 32_000;

function pictures(
  entry: Entry,
  required: string[],
  before: Record<string, JsonSchema>,
  example: Record<string, unknown> = {},
): Entry {
  const [operation] = entry.operations;
  if (!operation) return entry;
  const words = { prompt: "A lighthouse on a cliff at dawn, seen from the sea" };
  return {
    ...entry,
    operations: [
      {
        ...operation,
        execution_mode: "async",
        input_schema: inputSchema(entry.id, required, {
          ...before,
          prompt: prompt(longestPrompt),
          size: {
            type: "string",
            title: "Size",
            description: "Such as 1024x1024; the model chooses without it.",
          },
          quality: { type: "string", title: "Quality", description: "Such as low, medium or high." },
          n: { type: "integer", minimum: 1, maximum: 10, title: "Number of outputs" },
        }),
        limits: { maxOutputs: 10, maxPromptCharacters: longestPrompt },
        example: { model: entry.id, ...example, ...words },
      },
    ],
  };
}
