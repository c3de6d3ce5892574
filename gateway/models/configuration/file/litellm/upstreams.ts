import { byName } from "#contract/by-name.ts";
import { protocols } from "#gateway/models/providers/protocols.ts";

/** How a provider of LiteLLM is reached from here. */
interface Upstream {
  protocol: "openai" | "anthropic";
  /** The address without `api_base`; null: the configuration must name one. */
  base: string | null;
  /** The variable that LiteLLM reads without `api_key`; null: no key is needed. */
  env: string | null;
  preset?: string;
  /** The base URL for an `api_base`, which LiteLLM completes in its own way. */
  of?(base: string): string;
}

const trimmed = (base: string) => base.replace(/\/+$/, "");
const withVersion = (base: string) => (/\/v\d+$/.test(trimmed(base)) ? trimmed(base) : `${trimmed(base)}/v1`);
const azure = (base: string) => `${URL.parse(base)?.origin ?? trimmed(base)}/openai/v1`;

const known = (env: string, preset: string): Upstream => {
  const found = protocols.flatMap(({ facts }) => facts.presets).find(({ id }) => id === preset);
  return { protocol: "openai", base: found?.base_url ?? null, env, preset };
};
const at = (env: string, base: string): Upstream => ({ protocol: "openai", base, env });
const own = (env: string | null): Upstream => ({ protocol: "openai", base: null, env });

/** The providers of LiteLLM that speak OpenAI's or Anthropic's API, by their prefix. */
const upstreams = byName<Upstream>({
  openai: known("OPENAI_API_KEY", "openai"),
  anthropic: {
    ...known("ANTHROPIC_API_KEY", "anthropic-messages"),
    protocol: "anthropic",
    of: withVersion,
  },
  openrouter: known("OPENROUTER_API_KEY", "openrouter"),
  azure: { ...own("AZURE_API_KEY"), preset: "azure-openai", of: azure },
  azure_ai: own("AZURE_AI_API_KEY"),
  gemini: known("GEMINI_API_KEY", "gemini"),
  mistral: known("MISTRAL_API_KEY", "mistral"),
  deepseek: known("DEEPSEEK_API_KEY", "deepseek"),
  groq: known("GROQ_API_KEY", "groq"),
  together_ai: known("TOGETHERAI_API_KEY", "together"),
  cohere: known("COHERE_API_KEY", "cohere"),
  jina_ai: known("JINA_AI_API_KEY", "jina"),
  xai: at("XAI_API_KEY", "https://api.x.ai/v1"),
  fireworks_ai: at("FIREWORKS_API_KEY", "https://api.fireworks.ai/inference/v1"),
  perplexity: at("PERPLEXITYAI_API_KEY", "https://api.perplexity.ai"),
  deepinfra: at("DEEPINFRA_API_KEY", "https://api.deepinfra.com/v1/openai"),
  cerebras: at("CEREBRAS_API_KEY", "https://api.cerebras.ai/v1"),
  nvidia_nim: at("NVIDIA_NIM_API_KEY", "https://integrate.api.nvidia.com/v1"),
  sambanova: at("SAMBANOVA_API_KEY", "https://api.sambanova.ai/v1"),
  moonshot: at("MOONSHOT_API_KEY", "https://api.moonshot.ai/v1"),
  ollama: { ...own(null), base: "http://localhost:11434/v1", preset: "ollama", of: withVersion },
  lm_studio: own(null),
  llamafile: own(null),
  xinference: own(null),
  hosted_vllm: own("HOSTED_VLLM_API_KEY"),
  litellm_proxy: own("LITELLM_PROXY_API_KEY"),
  openai_like: own("OPENAI_LIKE_API_KEY"),
  custom_openai: own("OPENAI_API_KEY"),
});

const otherNames = byName({ ollama_chat: "ollama", cohere_chat: "cohere", vllm: "hosted_vllm" });

/** What to do about the most usual providers that speak another API. */
const unreachable = byName({
  bedrock:
    "Bedrock also has an address of OpenAI's API for its API keys: connect that as a provider, then import the model in the console.",
  vertex_ai:
    "Connect Gemini with an API key of Google AI Studio, or an address of OpenAI's API in front of Vertex AI.",
  replicate: "Run `gatehouse import replicate`: it proposes the models of a key with their forms.",
  fal_ai: "Connect fal in the console, and import the model there by its name.",
});

/** Where a deployment runs, or why Gatehouse cannot reach it and what to do. */
export type Target =
  | { upstream: Upstream; prefix: string; name: string; isResponses: boolean }
  | { reason: string; todo: string };

/** Splits `openai/gpt-4o` as LiteLLM does: a name without a prefix is a model of OpenAI or Anthropic. */
export function targetOf(model: string, named: string | null): Target {
  const [first = "", ...rest] = model.split("/");
  const hasPrefix = rest.length > 0;
  const guessed = /^claude/i.test(model) ? "anthropic" : "openai";
  const given = named ?? (hasPrefix ? first : guessed);
  const prefix = otherNames[given] ?? given;
  const name = hasPrefix && first === given ? rest.join("/") : model;
  const upstream = upstreams[prefix];
  if (!upstream)
    return {
      reason: `${given} speaks neither OpenAI's nor Anthropic's API.`,
      todo:
        unreachable[given.replace(/_(beta|chat|converse)$/, "")] ??
        "If it has an address of OpenAI's API, write `openai/<model>` with that `api_base`.",
    };
  const isResponses = prefix === "openai" && name.startsWith("responses/");
  return { upstream, prefix, name: isResponses ? name.slice("responses/".length) : name, isResponses };
}
