import { recordsOf, textOf } from "../http/read-body.ts";

/** What a message or delta says, and what its model thought before. */
export interface Said {
  content: unknown;
  reasoning_content?: string;
}

/**
 * Text and thoughts under OpenAI's names. Most servers call thoughts `reasoning_content`; OpenRouter, Groq and vLLM
 * `reasoning`; Mistral puts both as parts into `content`.
 */
export function saidOf(message: Record<string, unknown>): Said {
  const { content, reasoning_content: thoughts, reasoning } = message;
  const named = [thoughts, reasoning].find((value) => typeof value === "string") as string | undefined;
  if (!Array.isArray(content)) return { content, ...(named !== undefined && { reasoning_content: named }) };
  const parts = recordsOf(content);
  const thought = parts.flatMap((part) => recordsOf(part.thinking)).map(textIn);
  const reasoned = (named ?? "") + thought.join("");
  return { content: parts.map(textIn).join(""), ...(reasoned && { reasoning_content: reasoned }) };
}

function textIn(part: Record<string, unknown>): string {
  return textOf(part.text) ?? "";
}
