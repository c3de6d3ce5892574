import { anthropic } from "./anthropic/provider.ts";
import { dashScope } from "./dashscope/provider.ts";
import { fal } from "./fal/provider.ts";
import { openAi } from "./openai/provider.ts";
import type { Protocol } from "./protocol.ts";
import { replicate } from "./replicate/provider.ts";
import { openAiResponses } from "./responses/provider.ts";

/** The protocols that a providers file may name. */
export const protocols: readonly Protocol[] = [openAi, openAiResponses, anthropic, dashScope, replicate, fal];

/** Throws for an unknown name; such a name cannot occur, because the check of the file refuses it. */
export function protocolOf(name: string): Protocol {
  const protocol = protocols.find((one) => one.name === name);
  if (!protocol) throw new Error(`There is no protocol ${name}`);
  return protocol;
}
