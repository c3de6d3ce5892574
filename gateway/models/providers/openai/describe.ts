import { type InputModality, inputModalities } from "#contract/catalog-constants.ts";
import { ApiError } from "#gateway/platform/core/api-error.ts";
import { type AskAboutModel, type ModelDescription, tokensOf } from "../descriptions/upstream-model.ts";
import { recordOf, recordsOf } from "../http/read-body.ts";

const maxNamed = 20;

/**
 * The server's list entry for a model; a server without a list may have any model. Throws as
 * `AskAboutModel.first`.
 */
export async function describeOpenAi(ask: AskAboutModel, name: string): Promise<ModelDescription> {
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
