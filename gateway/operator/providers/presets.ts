import type { ApiType } from "#contract/catalog.ts";
import type { ProviderPreset } from "#contract/operator-providers.ts";

const speech: ApiType[] = ["text-to-speech", "audio-transcription"];
const pictures: ApiType[] = ["image-generation", "image-editing"];
const openAiKinds: ApiType[] = ["chat-completions", ...speech, ...pictures, "video-generation"];
const jobKinds: ApiType[] = [...speech, ...pictures, "video-generation"];

type Given = Pick<ProviderPreset, "id" | "name" | "runs"> & Partial<ProviderPreset>;

function preset(given: Given): ProviderPreset {
  return {
    object: "provider_preset",
    protocol: "openai",
    place: "cloud",
    base_url: null,
    base_url_template: null,
    base_urls: {},
    needs_key: true,
    key_url: null,
    note: null,
    ...given,
  };
}

/** A model server on one's own machine or network, by its usual address. */
function local(id: string, name: string, port: number, runs: ApiType[], note: string | null = null) {
  const base_url = `http://localhost:${port}/v1`;
  return preset({ id, name, runs, place: "local", base_url, needs_key: false, note });
}

/** What can be connected in a minute: addresses, where to get a key, and what it runs. */
export const providerPresets: readonly ProviderPreset[] = [
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
    name: "Anthropic",
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
    runs: ["chat-completions", "audio-transcription"],
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
    runs: ["chat-completions", ...speech, "image-generation"],
  }),
  preset({
    id: "dashscope",
    name: "DashScope (Alibaba Cloud Model Studio)",
    protocol: "dashscope",
    base_urls: {
      "cn-beijing": "https://dashscope.aliyuncs.com",
      "sg-singapore": "https://dashscope-intl.aliyuncs.com",
      "us-virginia": "https://dashscope-us.aliyuncs.com",
    },
    key_url: "https://bailian.console.alibabacloud.com/?tab=model#/api-key",
    runs: ["chat-completions", ...speech, "voice-management", ...pictures, "video-generation"],
    note: "A key belongs to one region.",
  }),
  preset({
    id: "replicate",
    name: "Replicate",
    protocol: "replicate",
    base_url: "https://api.replicate.com/v1",
    key_url: "https://replicate.com/account/api-tokens",
    runs: jobKinds,
  }),
  preset({
    id: "fal",
    name: "fal",
    protocol: "fal",
    base_url: "https://queue.fal.run",
    key_url: "https://fal.ai/dashboard/keys",
    runs: jobKinds,
  }),
  local("ollama", "Ollama", 11434, ["chat-completions"]),
  local("lm-studio", "LM Studio", 1234, ["chat-completions"]),
  local("llama-cpp", "llama.cpp server", 8080, ["chat-completions"]),
  local("vllm", "vLLM", 8000, ["chat-completions", "audio-transcription"]),
  local("sglang", "SGLang", 30000, ["chat-completions"]),
  local("localai", "LocalAI", 8080, ["chat-completions", ...speech, "image-generation"]),
  preset({ id: "openai-like", name: "Another server of OpenAI's API", place: "other", runs: openAiKinds }),
  preset({
    id: "dashscope-like",
    name: "Another server of DashScope's API",
    protocol: "dashscope",
    place: "other",
    runs: ["chat-completions", ...speech, "voice-management", ...pictures, "video-generation"],
  }),
  preset({
    id: "replicate-like",
    name: "Another server of Replicate's API",
    protocol: "replicate",
    place: "other",
    runs: jobKinds,
  }),
  preset({
    id: "fal-like",
    name: "Another server of fal's API",
    protocol: "fal",
    place: "other",
    runs: jobKinds,
  }),
];
