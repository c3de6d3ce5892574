import { readOpenAiFault } from "../openai/fault.ts";
import type { Protocol } from "../protocol.ts";
import type { Provider } from "../provider.ts";
import { noJobs, supportsKind } from "../upstreams/kinds.ts";
import type { Mapped } from "../upstreams/mapped.ts";
import { completeMessage, countMessage, streamMessage } from "./answer.ts";
import { anthropicFacts } from "./facts.ts";
import { anthropicName } from "./request.ts";

const kinds = ["chat-completions"] as const;

/** Anthropic's Messages: what its own clients send goes through as it is. */
export const anthropic: Protocol = {
  name: anthropicName,
  kinds,
  hosts: { any: "https://api.anthropic.com/v1" },
  scheme: "x-api-key",
  headers: { "anthropic-version": "2023-06-01" },
  facts: anthropicFacts,
  readFault: readOpenAiFault,
  open: () => createAnthropic,
};

function createAnthropic(mapped: Mapped): Provider {
  return {
    id: mapped.upstream.name,
    sandbox: false,
    restartable: false,
    speaks: anthropicName,
    supports: supportsKind(kinds, anthropicName),
    execute: (request) => completeMessage(mapped, request),
    countTokens: (request) => countMessage(mapped, request),
    stream: (request) => streamMessage(mapped, request),
    ...noJobs,
  };
}
