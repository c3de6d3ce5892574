import type { FastifyRequest } from "fastify";
import { newId } from "#contract/ids.ts";
import type { TokenCount } from "#contract/messages.ts";
import type { Context } from "#gateway/context.ts";
import { tokensIn } from "#gateway/models/providers/estimated-usage.ts";
import type { ProviderRequest } from "#gateway/models/providers/provider.ts";
import { actorOf } from "#gateway/platform/http/authenticate.ts";
import { admit, type OperationInput, operationFor } from "#gateway/runs/operations/admit.ts";
import { withModel } from "#gateway/runs/operations/candidates.ts";
import { withSyncRequest } from "#gateway/runs/operations/sync-request.ts";

/** Clients count the tokens before they send a request, so the count must be quick. */
const longestMs = 5_000;

interface Counting<Asked> {
  /** The input that the model reads, for the estimate. */
  read(body: Asked): readonly unknown[];
  /** The chat to count. Throws if the request cannot be expressed as a chat. */
  call(body: Asked): OperationInput;
}

/**
 * Counts the input tokens of a chat: by the upstream that would run it first, if it can count, otherwise by
 * an estimate. Throws as `operationFor`.
 */
export async function countTokens<Asked extends { model: string }>(
  context: Context,
  request: FastifyRequest,
  asked: Asked,
  { read, call }: Counting<Asked>,
): Promise<TokenCount> {
  const actor = actorOf(request);
  const body = (await withModel(context, actor, asked)) as Asked;
  operationFor(context, actor, "chat-completions", body);
  const counted = await countUpstream(context, request, body, call).catch((error: unknown) => {
    request.log.info({ err: error }, "a chat's tokens are estimated");
    return null;
  });
  if (counted !== null) return { input_tokens: counted, svc_estimated: false };
  return { input_tokens: tokensIn(read(body)), svc_estimated: true };
}

/** The upstream's count; null if the upstream cannot count before a run. */
async function countUpstream<Asked extends { model: string }>(
  context: Context,
  request: FastifyRequest,
  body: Asked,
  call: Counting<Asked>["call"],
): Promise<number | null> {
  const actor = actorOf(request);
  const { model, operation } = operationFor(context, actor, "chat-completions", body);
  const counts = model.available_regions.some(
    (region) => context.providers.route(model, operation, region)[0]?.countTokens,
  );
  if (!counts) return null;
  const admitted = await admit(context, actor, call(body));
  const [provider] = admitted.routes.route(model, operation, admitted.region);
  const { countTokens: count } = provider ?? {};
  if (!count) return null;
  const signal = AbortSignal.timeout(longestMs);
  const log = request.log as ProviderRequest["log"];
  const run = { id: newId("generation"), reserved: null, reservedCost: null };
  return withSyncRequest(context, admitted, run, { signal, log }, (there) => count(there));
}
