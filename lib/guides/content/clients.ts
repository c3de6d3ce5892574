import type { Guide } from "../guide.ts";

export const clientsGuide: Guide = {
  sections: [
    {
      title: "The OpenAI SDK",
      parts: [
        {
          text: "Chat completions and Responses both run every chat of the [catalog](/catalog). A response is stored for the retention time, so the next request needs only its id; send `store: false` to store nothing.",
        },
        { snippet: "responsesClient" },
      ],
      missing: "This gateway has chat completions only: see [First call](/guides/first-call).",
    },
    {
      title: "Batches with the OpenAI SDK",
      parts: [
        {
          text: "Files and batches work as at OpenAI: a file with a request on each line, for chat completions, responses, embeddings, images or edits. It is an ordinary [batch](/batches), with the same budgets and gates.",
        },
        { snippet: "openAiBatch" },
        {
          list: [
            "A file has up to 1,000 requests and 16 MB. A line that cannot run is in the error file, with its line number.",
            "After 24 hours the rest expires. The output file is there for another 24 hours, and images for 24 hours after they were made.",
          ],
        },
      ],
      missing: "This gateway has no batches.",
    },
    {
      title: "The AI SDK",
      parts: [
        { text: "Its OpenAI provider calls Responses. Install `ai` and `@ai-sdk/openai`." },
        { snippet: "aiSdkClient" },
      ],
      missing: "Use `@ai-sdk/openai-compatible` here: it calls chat completions.",
    },
    {
      title: "The Anthropic SDK",
      parts: [
        { text: "Messages also run every chat, with tools, streams and token counts." },
        { snippet: "anthropicClient" },
      ],
      missing: "This gateway does not have Anthropic's Messages.",
    },
    {
      title: "Their names for models",
      parts: [
        {
          text: "Programs that ask for `gpt-5` or `claude-sonnet-5` need no change: an [alias](/aliases) maps such a name to models of the catalog, with fallbacks if one cannot run.",
        },
      ],
      missing: "Set the model of the program to one of the [catalog](/catalog).",
    },
    {
      title: "Coding agents",
      parts: [
        { text: "An agent needs the base URL, a key and a model of the catalog that calls functions." },
        {
          head: ["Agent", "Settings"],
          rows: [
            [
              "Claude Code",
              "Environment: `ANTHROPIC_BASE_URL={base}`, `ANTHROPIC_AUTH_TOKEN` with the key, `ANTHROPIC_MODEL=svc/chat-1`, and `CLAUDE_CODE_MAX_OUTPUT_TOKENS` within the model's limit",
            ],
            [
              "Codex",
              'In `config.toml`: a provider with `base_url = "{base}"`, `env_key = "GATEHOUSE_API_KEY"` and `wire_api = "responses"`, and its name as `model_provider`',
            ],
            [
              "Others",
              "Where they ask for an OpenAI-compatible server: `{base}` as the base URL, and the key",
            ],
          ],
        },
        {
          text: "Web search runs only at OpenAI and Anthropic: it is left out here, and a header of the answer names it. Tools that need another machine are refused.",
        },
      ],
      missing: "Agents that speak chat completions work with `{base}` as the base URL.",
    },
  ],
};
