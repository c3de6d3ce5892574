import path from "node:path";
import type { Logger } from "pino";
import { countCharacters } from "#contract/characters.ts";
import { StoreFullError, type StoreRoom } from "#gateway/files/storage/store-room.ts";
import { tokensIn } from "#gateway/models/providers/estimated-usage.ts";
import {
  documentTexts,
  type Provider,
  type ProviderOutput,
  type ProviderRequest,
  type SyncResult,
  type TranscriptSegment,
} from "#gateway/models/providers/provider.ts";
import type { Config } from "#gateway/platform/core/config.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { Usage } from "#gateway/platform/core/usage.ts";
import type { Database, Queries } from "#gateway/platform/database/database.ts";
import { completeChat, ignoredOfChat, streamChat } from "./chat/chat.ts";
import { badInput, SandboxFailure } from "./failure.ts";
import { JobRegistry } from "./jobs/registry.ts";
import type { AssignedMedia } from "./jobs/run-child.ts";
import { JobRunner, type SandboxJob } from "./jobs/runner.ts";
import type { SpeechTask, Task } from "./jobs/spec.ts";
import { planAsync } from "./plans/async.ts";
import { textField } from "./plans/fields.ts";
import { planEdit, planPictures, planSwap } from "./plans/pictures.ts";
import { toProviderError } from "./provider-error.ts";
import { presetVoice, type SpeechVoice } from "./speech/voice.ts";
import { findVoice, manageVoices } from "./voices.ts";

const providerId = "sandbox";

/**
 * The built-in provider: it runs every operation of the catalog on this machine without any model, and all of
 * its outputs say so, visibly and in their metadata.
 */
export function createSandbox(options: {
  config: Config;
  database: Database;
  log: Logger;
  storeRoom: Pick<StoreRoom, "full">;
}): Provider {
  const { config, database } = options;
  const log = options.log.child({ provider: providerId });
  const runner = new JobRunner({
    root: path.join(config.dataDir, "sandbox"),
    ffmpegPath: config.ffmpegPath,
    videoTimeoutMs: config.sandboxTimeoutMs,
    log,
    full: (error) => options.storeRoom.full(error),
  });
  const registry = new JobRegistry(runner);

  const begin = (request: ProviderRequest): Promise<void> => {
    const { id, accountId } = request;
    return registry.begin({ id, accountId, log: request.log, ...planAsync(request) });
  };

  return {
    id: providerId,
    sandbox: true,
    restartable: true,

    supports: () => ({ ok: true }),
    ignores: ({ operation, input }) =>
      operation.api_type === "chat-completions" ? ignoredOfChat(input) : [],

    execute: (request) => guarded(request, () => runSync(request, runner, database.queries)),

    async *stream(request) {
      try {
        yield* streamChat(request);
      } catch (error) {
        throw request.signal.aborted ? error : toProviderError(error);
      }
    },

    start: (request) =>
      guarded(request, async () => {
        await begin(request);
        return { ref: { provider: providerId, id: request.id }, pollAfterMs: 500 };
      }),

    async status(ref, request) {
      const id = String(ref.id ?? request.id);
      const usage = (seconds: number | undefined) => usageOf(request, seconds);
      if (!registry.knows(id)) {
        const outputs = await runner.finished(id);
        if (outputs) return { state: "succeeded", outputs, usage: usage(outputs[0]?.duration) };
        try {
          await begin({ ...request, id });
        } catch (error) {
          if (error instanceof StoreFullError) throw error;
          return { state: "failed", error: toProviderError(error) };
        }
      }
      return registry.status(id, usage);
    },

    async cancel(ref, request) {
      const id = String(ref.id ?? request.id);
      // An unknown job is not running in this process, so after a restart there is nothing to stop.
      if (!registry.knows(id)) return (await runner.finished(id)) ? "too_late" : "canceled";
      return registry.cancel(id) ? "canceled" : "too_late";
    },

    stop: (ref) => void registry.cancel(String(ref.id)),

    forget: (ref) => registry.forget(String(ref.id)),

    close: async () => registry.close(),
  };
}

/** Runs a step and converts its errors to the contract's codes; an abort is rethrown. */
async function guarded<Result>(request: ProviderRequest, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (request.signal.aborted || error instanceof StoreFullError) throw error;
    if (!(error instanceof ProviderError)) request.log.debug({ err: error }, "sandbox refused or failed");
    throw toProviderError(error);
  }
}

function usageOf(request: ProviderRequest, seconds: number | undefined): Usage {
  return request.operation.billing_unit === "second"
    ? { unit: "second", quantity: Math.ceil((seconds ?? 0) - 0.25) }
    : { unit: request.operation.billing_unit, quantity: 1 };
}

const defaultPreset = "default";

const usualDimensions = 256;

/** Runs a sync operation of any kind to its result. Throws SandboxFailure. */
async function runSync(request: ProviderRequest, runner: JobRunner, queries: Queries): Promise<SyncResult> {
  switch (request.engine) {
    case "chat":
      return completeChat(request);
    case "speech-preset":
      return speech(request, runner, planSpeech(request, presetOf(request)));
    case "speech-enrolled": {
      const { voice } = await findVoice(queries, request.accountId, textField(request, "voice"));
      return speech(request, runner, planSpeech(request, voice));
    }
    case "transcription":
      return transcription(request, runner);
    case "voices":
      return manageVoices(request, runner, queries);
    case "pictures":
      return images(request, runner, { task: planPictures(request), media: [] });
    case "edit":
      return images(request, runner, planEdit(request));
    case "embeddings":
      return embed(request);
    case "rerank":
      return rank(request);
    case "swap-face":
    case "swap-head":
      return images(request, runner, planSwap(request));
    default:
      throw new SandboxFailure(
        "operation_not_supported",
        `The sandbox does not run ${request.operation.id} at once.`,
      );
  }
}

/**
 * Vectors of the words of each text: equal texts have equal vectors, and texts that share words are near each
 * other.
 */
function embed({ input: { input, dimensions } }: ProviderRequest): SyncResult {
  const texts = Array.isArray(input) && typeof input[0] !== "number" ? input : [input];
  const length = typeof dimensions === "number" ? dimensions : usualDimensions;
  return {
    kind: "embeddings",
    vectors: texts.map((text) => vectorOf(typeof text === "string" ? text : JSON.stringify(text), length)),
    usage: { unit: "token", quantity: texts.reduce<number>((sum, text) => sum + tokensIn([text]), 0) },
  };
}

/**
 * A vector of length 1: each word, and each three letters of it, add to positions derived from their hash.
 */
function vectorOf(text: string, length: number): number[] {
  const vector = new Array<number>(length).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
    add(vector, hashOf(word, 0, word.length), 1);
    for (let at = 0; at + 3 <= word.length; at += 1) add(vector, hashOf(word, at, at + 3), 0.3);
  }
  const size = Math.hypot(...vector) || 1;
  return vector.map((value) => value / size);
}

/**
 * Adds the weight at two positions that follow from the hash. Each sign also follows from it, so that chance
 * matches cancel each other out on average.
 */
function add(vector: number[], hash: number, weight: number): void {
  for (const part of [hash, Math.imul(hash, 0x9e37_79b1) >>> 0]) {
    const at = (part >>> 1) % vector.length;
    vector[at] = (vector[at] ?? 0) + ((part & 1) === 0 ? weight : -weight);
  }
}

/** FNV-1a of a part of a text. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c_9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash >>> 0;
}

/** Ranks the texts: those whose words are nearest to the query come first. */
function rank(request: ProviderRequest): SyncResult {
  const query = vectorOf(textField(request, "query"), usualDimensions);
  const results = documentTexts(request.input.documents).map((text, index) => {
    const near = vectorOf(text, usualDimensions).reduce(
      (sum, value, at) => sum + value * (query[at] ?? 0),
      0,
    );
    return { index, score: Math.round(Math.max(0, near) * 1e6) / 1e6 };
  });
  results.sort((one, other) => other.score - one.score || one.index - other.index);
  return { kind: "rerank", results, usage: { unit: "operation", quantity: 1 } };
}

/** The job of a text-to-speech request in the given voice. */
function planSpeech(request: ProviderRequest, voice: SpeechVoice): SpeechTask {
  const text = textField(request, "input");
  if (!text.trim()) throw badInput("input must have some text to speak.", "input");
  return { kind: "speech", text, voice };
}

/** The voice of a preset name; every name is valid. */
function presetOf(request: ProviderRequest): SpeechVoice {
  return presetVoice(textField(request, "voice") || defaultPreset);
}

async function speech(request: ProviderRequest, runner: JobRunner, task: Task): Promise<SyncResult> {
  const { files } = await runner.make(orderOf(request, task, []));
  const [audio] = files;
  if (!audio) throw new Error("The speech job wrote no file");
  const quantity = countCharacters(textField(request, "input"));
  return { kind: "speech", audio, usage: { unit: "character", quantity } };
}

async function transcription(request: ProviderRequest, runner: JobRunner): Promise<SyncResult> {
  const recording = request.media.find(({ kind }) => kind === "audio");
  if (!recording) throw new SandboxFailure("missing_parameter", "audio is required.", "audio");
  const { result } = await runner.make(
    orderOf(request, { kind: "transcribe" }, [{ media: recording, role: "sound" }]),
  );
  const seconds = Math.round(Number(result.data.seconds) * 100) / 100;
  return {
    kind: "transcription",
    text: String(result.data.text),
    durationSeconds: seconds,
    segments: result.data.segments as TranscriptSegment[],
    usage: { unit: "second", quantity: Math.max(1, Math.ceil(seconds)) },
  };
}

async function images(
  request: ProviderRequest,
  runner: JobRunner,
  plan: { task: Task; media: AssignedMedia[] },
): Promise<SyncResult> {
  const { result, files } = await runner.make(orderOf(request, plan.task, plan.media));
  const outputs = result.outputs.flatMap(({ name: _, ...output }, index): ProviderOutput[] => {
    const bytes = files[index];
    return bytes ? [{ ...output, bytes }] : [];
  });
  return { kind: "images", outputs, usage: { unit: "generation", quantity: outputs.length } };
}

function orderOf(request: ProviderRequest, task: Task, media: AssignedMedia[]): SandboxJob {
  const { id, accountId, signal, log } = request;
  return { id, accountId, signal, log, task, media };
}
