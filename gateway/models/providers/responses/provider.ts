import { readOpenAiFault } from "../openai/fault.ts";
import type { Protocol } from "../protocol.ts";
import type { Provider } from "../provider.ts";
import { noJobs, supportsKind } from "../upstreams/kinds.ts";
import type { Mapped } from "../upstreams/mapped.ts";
import { completeResponse, streamResponse } from "./answer.ts";
import { responsesFacts } from "./facts.ts";
import { responsesName } from "./request.ts";

const kinds = ["chat-completions"] as const;

/** OpenAI's Responses: what its own clients send goes through as it is. */
export const openAiResponses: Protocol = {
  name: responsesName,
  kinds,
  hosts: { any: "https://api.openai.com/v1" },
  scheme: "Bearer",
  facts: responsesFacts,
  readFault: readOpenAiFault,
  open: () => createResponses,
};

function createResponses(mapped: Mapped): Provider {
  return {
    id: mapped.upstream.name,
    sandbox: false,
    restartable: false,
    speaks: responsesName,
    supports: supportsKind(kinds, responsesName),
    execute: (request) => completeResponse(mapped, request),
    stream: (request) => streamResponse(mapped, request),
    ...noJobs,
  };
}
