/** Presets of providers, by their id. Names of providers are the same in every language. */
export default {
  anotherServer: "Another server of {api}",
  "api.anthropic": "Anthropic's API",
  "api.dashscope": "DashScope's API",
  "api.fal": "fal's API",
  "api.openai": "OpenAI's API",
  "api.replicate": "Replicate's API",
  "api.openai_responses": "OpenAI's Responses",
  "note.azure_openai": "The names of models are those of your deployments.",
  "note.anthropic": "By its OpenAI-like endpoint.",
  "note.gemini": "By its OpenAI-like endpoint.",
  "note.cohere": "Its ranking models.",
  "note.anthropic_messages": "Uses its Messages API, with signed thoughts and cached prompts.",
  "note.openai_responses": "Uses its Responses API, with sealed thoughts and web searches.",
  "note.dashscope": "A key belongs to one region.",
} as const;
