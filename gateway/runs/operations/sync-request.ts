import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import type { ApiType } from "#contract/catalog.ts";
import { newId } from "#contract/ids.ts";
import { isRecord } from "#contract/input-schema/json-values.ts";
import { unbilledRun } from "#gateway/billing/prices/price-lines.ts";
import { cachedTokens, type RunUsage, usageOfOperation } from "#gateway/billing/usage/lines.ts";
import { removeReservedFilesOf, reserveFiles } from "#gateway/files/storage/remove-files.ts";
import { fileUrl, inputKey } from "#gateway/files/storage/signed-urls.ts";
import type {
  ChatChoice,
  ChatUsage,
  Provider,
  ProviderRequest,
  ResolvedMedia,
  SyncResult,
} from "#gateway/models/providers/provider.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import { deriveKeys } from "#gateway/platform/core/console-secret.ts";
import { counters } from "#gateway/platform/core/counters.ts";
import type { ModelAnswer } from "#gateway/platform/telemetry/telemetry.ts";
import type { RunsContext } from "#gateway/runs/context.ts";
import type { Admitted } from "./admit.ts";
import { changedFields } from "./changed-fields.ts";
import { conversationOf } from "./conversation.ts";
import type { Served } from "./dispatch.ts";
import type { OutputCheck } from "./output-check.ts";
import { askedOfProvider } from "./parameters.ts";
import { resolveMedia } from "./resolve-media.ts";
import { rememberAnswer } from "./token-rates.ts";
import type { Transcript } from "./upstream-chat.ts";
import { type AdmittedRun, reserveMeasured } from "./with-budget.ts";

/** How long the URL of an input works: longer than any sync run; if its process dies, the sweep of reserved files removes the file after this time. */
const linkLifetimeMs = 3_600_000;

/**
 * Builds the provider's request for a sync run. Its media are local files until `work` has ended. Throws as
 * `resolveMedia`, and `budget_exceeded`.
 */
export function withSyncRequest<Result>(
  context: RunsContext,
  admitted: Admitted,
  run: AdmittedRun,
  { signal, log }: Pick<ProviderRequest, "signal" | "log">,
  work: (request: ProviderRequest) => Promise<Result>,
): Promise<Result> {
  const { compiled, body, actor } = admitted;
  const links = mediaLinks(context, actor.accountId, log, "inputs of a run");
  const [secret] = deriveKeys(context.config, "conversations");
  const conversation = conversationOf(secret, admitted);
  const workWith = (media: ResolvedMedia[]): Promise<Result> => {
    const request: ProviderRequest = {
      id: run.id,
      accountId: actor.accountId,
      model: compiled.model,
      operation: compiled.operation,
      engine: compiled.engine,
      outputField: compiled.outputField,
      region: admitted.region,
      input: admitted.input,
      ...(admitted.native && { native: admitted.native }),
      ...(conversation && { conversation }),
      media,
      mediaUrl: links.mediaUrl,
      wantsSegments: isTimed(body.response_format),
      ...speechFormatOf(compiled.operation.api_type, body.response_format),
      wantsWords: asksForWords(body.timestamp_granularities),
      ...(admitted.asked && { noteSent: noteChanges(admitted, admitted.asked) }),
      signal,
      log,
    };
    const reserving = reserveMeasured(context, admitted, run, media);
    return reserving ? reserving.then(() => work(request)) : work(request);
  };
  if (compiled.mediaOf(body).length === 0) return workWith([]);
  const { accountId } = actor;
  const { limits } = compiled.operation;
  const asked = { accountId, compiled, body, files: admitted.files, limits, signal };
  return context.scratch
    .withDirectory(async (directory) => workWith(await resolveMedia(context, { ...asked, directory })))
    .finally(() => links.withdraw());
}

/** Records which fields an upstream got in another form than the caller sent them. */
function noteChanges(
  admitted: Admitted,
  asked: Record<string, unknown>,
): NonNullable<ProviderRequest["noteSent"]> {
  const { alias, compiled, native } = admitted;
  return (sent, isNative) => {
    // The gateway alone reads `region` and `store`.
    const { region: _, store: __, ...original } = (isNative && native?.body()) || asked;
    const model = alias ?? compiled.model.id;
    if (isRecord(sent)) admitted.changes = changedFields({ ...original, model }, sent);
  };
}

interface MediaLinks {
  mediaUrl(media: ResolvedMedia): Promise<string>;
  /** The same for bytes in memory. */
  bytesUrl(bytes: Buffer, contentType: string): Promise<string>;
  /** Revokes the URLs and removes the files behind them; a sweep removes those that it cannot. */
  withdraw(): Promise<void>;
}

/**
 * Signed URLs for local files, such as the inputs of a sync run, which are otherwise not in the store. `what` names
 * them in the log.
 */
export function mediaLinks(
  context: RunsContext,
  accountId: string,
  log: ProviderRequest["log"],
  what: string,
): MediaLinks {
  const held: string[] = [];
  const link = async (bytes: () => Readable | Buffer, contentType: string, sizeBytes: number) => {
    const id = newId("generation");
    const key = `inputs/${id}/0`;
    const until = new Date(clock.now() + linkLifetimeMs);
    await reserveFiles(context.database.queries, { id, accountId, files: [{ key, sizeBytes }], until });
    held.push(id);
    await context.store.put(key, bytes(), { contentType });
    return fileUrl(context, inputKey(key), { expiresAt: until });
  };
  return {
    mediaUrl: ({ file, contentType, sizeBytes }) =>
      link(() => createReadStream(file), contentType, sizeBytes),
    bytesUrl: (bytes, contentType) => link(() => bytes, contentType, bytes.length),
    withdraw: () =>
      removeReservedFilesOf(context, held).catch((err: unknown) =>
        log.warn({ err }, `${what} could not be removed yet`),
      ),
  };
}

/** The usage and cost of a sync run. */
export function usageOfSync(
  { prices }: RunsContext,
  admitted: Admitted,
  { result, provider, request }: Served<SyncResult>,
): RunUsage {
  if (result.kind === "chat") countChat(provider, admitted, result.completion.usage);
  else if (result.usage.unit === "token") admitted.tokens?.use(result.usage.quantity);
  // Upstreams count rankings, not their words.
  else if (admitted.compiled.operation.api_type === "rerank") admitted.tokens?.use();
  return usageOfOperation(prices.book, admitted, request, provider, result.usage, detailOf(result));
}

/** A chat that its upstream streams, with everything received so far. */
export interface StreamedChat {
  provider: Provider;
  /** The request as it was sent. */
  request: ProviderRequest;
  transcript: Transcript;
}

/** The usage and cost of a streamed chat. */
export function usageOfStream(
  { prices }: RunsContext,
  admitted: Admitted,
  { provider, request, transcript }: StreamedChat,
  tokens = transcript.usage(),
): RunUsage {
  countChat(provider, admitted, tokens);
  const usage = { unit: "token", quantity: tokens.total_tokens } as const;
  const detail = { tokens, serviceTier: transcript.labels.service_tier };
  return usageOfOperation(prices.book, admitted, request, provider, usage, detail);
}

/** Counts the tokens of a chat: in the limit of its caller, for the usual answer of its model, in the metrics. */
function countChat({ id: provider, sandbox }: Provider, admitted: Admitted, tokens: ChatUsage): void {
  admitted.tokens?.use(tokens.total_tokens);
  rememberAnswer(admitted, tokens.completion_tokens);
  if (sandbox) return;
  const cached = cachedTokens(tokens);
  counters.promptTokens.inc({ provider, cached: "yes" }, cached);
  counters.promptTokens.inc({ provider, cached: "no" }, tokens.prompt_tokens - cached);
}

/**
 * The usage and cost of a stream that broke or whose client disconnected, by the provider's billing rule for
 * cut streams; null if it has no output, which is not charged.
 */
export function usageOfCutStream(
  context: RunsContext,
  admitted: Admitted,
  cut: StreamedChat,
): RunUsage | null {
  if (cut.transcript.choices().length === 0) return null;
  const billed = billedOfCut(cut);
  const run = usageOfStream(context, admitted, cut, billed ?? undefined);
  return billed === null ? { ...run, priced: unbilledRun } : run;
}

/** The billed usage; null if nothing is billed. */
function billedOfCut({ provider, transcript }: StreamedChat): ChatUsage | null {
  const rule = provider.sandbox ? "counted" : (provider.cutStreams ?? "counted");
  if (rule === "nothing") return null;
  return rule === "reported" ? transcript.reported() : transcript.usage();
}

function detailOf(result: SyncResult) {
  if (result.kind === "chat")
    return { tokens: result.completion.usage, serviceTier: result.completion.service_tier };
  // For embeddings and rankings all text counts as input.
  if (result.kind === "embeddings" || result.kind === "rerank")
    return { tokens: { prompt_tokens: result.usage.quantity } };
  return result.kind === "images" ? { outputs: result.outputs } : {};
}

function speechFormatOf(apiType: ApiType, format: unknown): { speechFormat?: string } {
  const speechFormat = apiType === "text-to-speech" ? askedOfProvider(format) : undefined;
  return speechFormat === undefined ? {} : { speechFormat };
}

/** Whether a transcription request wants the times of single words: one granularity or a list. */
function asksForWords(granularities: unknown): boolean {
  return Array.isArray(granularities) ? granularities.includes("word") : granularities === "word";
}

/** Whether the format of a transcription shows when each part was spoken. */
function isTimed(format: unknown): boolean {
  return format === "srt" || format === "vtt" || format === "verbose_json";
}

/** The part of a sync run's result that traces record. */
export function tracedAnswer(result: SyncResult): ModelAnswer {
  if (result.kind === "chat") return tracedChat(result.completion);
  if (result.kind === "embeddings") return { tokens: { input: result.usage.quantity, output: 0 } };
  return {};
}

/** The same for a run with this check: its trace must not have messages that nobody may see. */
export function tracedUnless(check: OutputCheck | null): (result: SyncResult) => ModelAnswer {
  return check ? (result) => withoutMessages(tracedAnswer(result)) : tracedAnswer;
}

export function withoutMessages({ messages: _, ...facts }: ModelAnswer): ModelAnswer {
  return facts;
}

/** The part of a chat's answer that traces record. */
export function tracedChat({ choices, usage }: { choices: ChatChoice[]; usage: ChatUsage }): ModelAnswer {
  return {
    tokens: {
      input: usage.prompt_tokens,
      output: usage.total_tokens - usage.prompt_tokens,
      cached: cachedTokens(usage),
    },
    finishReasons: choices.map(({ finish_reason: reason }) => reason ?? "unknown"),
    messages: () => choices.map(({ message }) => message),
  };
}
