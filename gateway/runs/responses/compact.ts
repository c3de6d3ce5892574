import type { FastifyReply, FastifyRequest } from "fastify";
import { ulidOf } from "#contract/ids.ts";
import type { Compaction, ResponseCompact } from "#contract/responses.ts";
import type { Context } from "#gateway/context.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import type { ChatStamp, ChatFormatter } from "#gateway/runs/execution/chat-front.ts";
import { underNamesOf } from "#gateway/runs/execution/front-errors.ts";
import { runOperation } from "#gateway/runs/execution/run-operation.ts";
import { responseIdOf, usageOf } from "./format-response.ts";
import { readResponse, responsePlaces } from "./request.ts";
import type { SealedTexts } from "./sealed-text.ts";

/** Appended to the conversation as the model's instruction. */
const question =
  "Write down what is needed to continue this conversation later without it: what was asked and decided, names, numbers and exact words that matter, what was tried, and what is still to do. Write nothing else.";

/**
 * Lets the model shorten a conversation: the answer is one sealed item, which replaces all earlier items in
 * the input of the next response. Nothing is stored.
 */
export async function compactResponse(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  body: ResponseCompact,
): Promise<FastifyReply> {
  const { chat, sealed } = await readResponse(context, actorOf(request), { ...body, store: false });
  const messages = chat.messages as object[];
  return runOperation(context, request, reply, {
    apiType: "chat-completions",
    body: { ...chat, messages: [...messages, { role: "user", content: question }] },
    fingerprint: body,
    front: { begin: (stamp) => formatCompaction(stamp, sealed) },
  }).catch((error: unknown) => {
    throw underNamesOf(responsePlaces, error);
  });
}

interface CompactionFormatter extends ChatFormatter {
  body(): Compaction | null;
}

/** It is never streamed: only its body is used. */
function formatCompaction({ id, created }: ChatStamp, sealed: SealedTexts): CompactionFormatter {
  let compaction: Compaction | null = null;
  return {
    head: () => "",
    chunk: () => "",
    end(completion) {
      const text = completion.choices[0]?.message.content ?? "";
      compaction = {
        id: responseIdOf(id),
        object: "response.compaction",
        created_at: created,
        output: [
          {
            id: `cmp_${ulidOf(id)}_0`,
            type: "compaction",
            encrypted_content: sealed.seal("compaction", text),
          },
        ],
        usage: usageOf(completion),
      };
      return "";
    },
    failure: () => "",
    body: () => compaction,
  };
}
