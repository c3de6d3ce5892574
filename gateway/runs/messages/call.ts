import type { IncomingHttpHeaders } from "node:http";
import type { MessageCreate } from "#contract/messages.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import type { OperationInput } from "#gateway/runs/operations/admit.ts";
import { readMessage } from "./request.ts";

const longestBetas = 1_000;

/** A message as the chat that makes it, with what its client wrote for upstreams that read it. */
export function messageCall(body: MessageCreate, headers: IncomingHttpHeaders): OperationInput {
  const { chat, ignored } = readMessage(body);
  const betas = headers["anthropic-beta"];
  return {
    apiType: "chat-completions",
    body: chat,
    native: {
      protocol: "anthropic",
      body: () => (namesFiles(body) ? null : body),
      betas: typeof betas === "string" ? betas.slice(0, longestBetas) : null,
      ignored,
    },
  };
}

/** Whether it shows files of the gateway, which no upstream knows. */
function namesFiles({ messages }: MessageCreate): boolean {
  return messages.some(
    ({ content }) =>
      typeof content !== "string" && content.some(({ source }) => recordOf(source).type === "file"),
  );
}
