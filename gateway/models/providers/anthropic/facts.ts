import { type AskAboutModel, type ModelDescription, tokensOf } from "../descriptions.ts";
import { recordsOf } from "../http/read-body.ts";
import { listed, type ProtocolFacts, preset } from "../protocol.ts";

const modelsPath = "/models?limit=1000";

export const anthropicFacts: ProtocolFacts = {
  checks: () => [{ path: modelsPath, success: listed }],
  listPaths: () => [modelsPath],
  searches: false,
  describeModel: describeAnthropic,
  servicePaths: false,
  presets: [
    preset({
      id: "anthropic-messages",
      name: "Anthropic",
      base_url: "https://api.anthropic.com/v1",
      key_url: "https://console.anthropic.com/settings/keys",
      runs: ["chat-completions"],
      note: "Uses its Messages API, with signed thoughts and cached prompts.",
    }),
    preset({
      id: "anthropic-like",
      name: "Another server of Anthropic's API",
      place: "other",
      runs: ["chat-completions"],
    }),
  ],
};

/**
 * Anthropic's model list contains names and maximum output lengths. All of its models read pictures and
 * documents. Throws the errors of `AskAboutModel.first`.
 */
async function describeAnthropic(ask: AskAboutModel, name: string): Promise<ModelDescription> {
  const { data } = await ask.first([modelsPath]);
  const found = recordsOf(data).find(({ id }) => id === name);
  if (!found) throw ask.unknown();
  const outputTokens = tokensOf(found.max_tokens);
  return { listed: { name, contextTokens: null, outputTokens, reads: ["text", "image", "file"] } };
}
