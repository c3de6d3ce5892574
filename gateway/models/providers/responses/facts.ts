import { openAiFacts } from "../openai/facts.ts";
import { type ProtocolFacts, preset } from "../protocol-facts.ts";

/** Lists and describes models like OpenAI's Chat Completions. */
export const responsesFacts: ProtocolFacts = {
  ...openAiFacts,
  presets: [
    preset({
      id: "openai-responses",
      name: "OpenAI, Responses",
      base_url: "https://api.openai.com/v1",
      key_url: "https://platform.openai.com/api-keys",
      runs: ["chat-completions"],
      note: "Chats by its Responses API: sealed thoughts and web searches go through.",
    }),
    preset({
      id: "openai-responses-like",
      name: "Another server of OpenAI's Responses",
      place: "other",
      runs: ["chat-completions"],
    }),
  ],
};
