import type { ApiType } from "#contract/catalog.ts";
import { type InputModality, inputModalities } from "#contract/catalog-constants.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { type AskAboutModel, type ModelDescription, tokensOf } from "../descriptions.ts";
import { recordOf, recordsOf } from "../http/read-body.ts";
import { listed, otherServer, type Preset, type ProtocolFacts, preset } from "../protocol.ts";

const speech: ApiType[] = ["text-to-speech", "audio-transcription"];

/** All kinds of operations that the protocol runs. */
export const openAiKinds: ApiType[] = [
  "chat-completions",
  ...speech,
  "image-generation",
  "image-editing",
  "video-generation",
  "embeddings",
  "rerank",
];

/** A model server on the operator's own machine or network, at its usual address. */
function local(id: string, name: string, port: number, runs: ApiType[]): Preset {
  const base_url = `http://localhost:${port}/v1`;
  return preset({ id, name, runs, place: "local", base_url, needs_key: false });
}

const presets = [
  preset({
    id: "openai",
    name: "OpenAI",
    base_url: "https://api.openai.com/v1",
    key_url: "https://platform.openai.com/api-keys",
    runs: openAiKinds,
  }),
  preset({
    id: "openrouter",
    name: "OpenRouter",
    base_url: "https://openrouter.ai/api/v1",
    key_url: "https://openrouter.ai/settings/keys",
    runs: ["chat-completions"],
  }),
  preset({
    id: "azure-openai",
    name: "Azure OpenAI",
    base_url_template: "https://{resource}.openai.azure.com/openai/v1",
    key_url: "https://portal.azure.com",
    runs: openAiKinds,
    note: "The names of models are those of your deployments.",
  }),
  preset({
    id: "anthropic",
    name: "Anthropic, OpenAI-like",
    base_url: "https://api.anthropic.com/v1",
    key_url: "https://console.anthropic.com/settings/keys",
    runs: ["chat-completions"],
    note: "By its OpenAI-like endpoint.",
  }),
  preset({
    id: "gemini",
    name: "Google Gemini",
    base_url: "https://generativelanguage.googleapis.com/v1beta/openai",
    key_url: "https://aistudio.google.com/apikey",
    runs: ["chat-completions", "image-generation"],
    note: "By its OpenAI-like endpoint.",
  }),
  preset({
    id: "mistral",
    name: "Mistral",
    base_url: "https://api.mistral.ai/v1",
    key_url: "https://console.mistral.ai/api-keys",
    runs: ["chat-completions", "audio-transcription", "embeddings"],
  }),
  preset({
    id: "deepseek",
    name: "DeepSeek",
    base_url: "https://api.deepseek.com/v1",
    key_url: "https://platform.deepseek.com/api_keys",
    runs: ["chat-completions"],
  }),
  preset({
    id: "groq",
    name: "Groq",
    base_url: "https://api.groq.com/openai/v1",
    key_url: "https://console.groq.com/keys",
    runs: ["chat-completions", ...speech],
  }),
  preset({
    id: "together",
    name: "Together",
    base_url: "https://api.together.xyz/v1",
    key_url: "https://api.together.ai/settings/api-keys",
    runs: ["chat-completions", ...speech, "image-generation", "embeddings", "rerank"],
  }),
  preset({
    id: "cohere",
    name: "Cohere",
    base_url: "https://api.cohere.com/v2",
    key_url: "https://dashboard.cohere.com/api-keys",
    runs: ["rerank"],
    note: "Its ranking models.",
  }),
  preset({
    id: "jina",
    name: "Jina",
    base_url: "https://api.jina.ai/v1",
    key_url: "https://jina.ai/api-dashboard",
    runs: ["embeddings", "rerank"],
  }),
  local("ollama", "Ollama", 11434, ["chat-completions", "embeddings"]),
  local("lm-studio", "LM Studio", 1234, ["chat-completions", "embeddings"]),
  local("llama-cpp", "llama.cpp server", 8080, ["chat-completions", "embeddings", "rerank"]),
  local("vllm", "vLLM", 8000, ["chat-completions", "audio-transcription", "embeddings", "rerank"]),
  local("sglang", "SGLang", 30000, ["chat-completions", "embeddings", "rerank"]),
  local("localai", "LocalAI", 8080, [
    "chat-completions",
    ...speech,
    "image-generation",
    "embeddings",
    "rerank",
  ]),
  otherServer("openai", "OpenAI's API", openAiKinds),
];

const maxNamed = 20;

export const openAiFacts: ProtocolFacts = {
  // OpenRouter lists its models without a key, so only `/key` proves that the key is valid.
  checks: ({ hostname }) =>
    hostname === "openrouter.ai"
      ? [{ path: "/key", success: () => "The key is good." }]
      : [{ path: "/models", success: listed }],
  listPaths: () => ["/models"],
  searches: false,
  describeModel: describeOpenAi,
  servicePaths: false,
  presets,
};

/**
 * The server's list entry for a model; a server without a list may have any model. Throws the errors of
 * `AskAboutModel.first`.
 */
async function describeOpenAi(ask: AskAboutModel, name: string): Promise<ModelDescription> {
  const list = await ask.first(["/models"]).catch((error: unknown): Record<string, unknown> => {
    if (error instanceof ApiError && error.code === "model_not_found") return {};
    throw error;
  });
  const models = recordsOf(list.data);
  const found = models.find(({ id }) => id === name);
  if (found || models.length === 0) {
    const facts = found ?? {};
    const { max_completion_tokens: longestAnswer } = recordOf(facts.top_provider);
    return {
      listed: {
        name,
        contextTokens: contextOf(facts),
        // OpenRouter's field.
        outputTokens: tokensOf(longestAnswer),
        reads: modalitiesOf(facts),
      },
    };
  }
  const names = models.slice(0, maxNamed).map(({ id }) => String(id));
  throw ask.unknown(` It lists ${names.join(", ")}${models.length > maxNamed ? ", …" : ""}.`);
}

/** The context length; servers use different names for it. */
function contextOf(listed: Record<string, unknown>): number | null {
  const { context_length: length, max_model_len: longest, context_window: window } = listed;
  return tokensOf(length) ?? tokensOf(longest) ?? tokensOf(window);
}

/** The inputs that a model reads, as OpenRouter lists them; null if a server lists none. */
function modalitiesOf({ architecture }: Record<string, unknown>): InputModality[] | null {
  const { input_modalities: listed } = recordOf(architecture);
  if (!Array.isArray(listed) || !listed.includes("text")) return null;
  return inputModalities.filter((modality) => listed.includes(modality));
}
