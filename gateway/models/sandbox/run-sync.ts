import { countCharacters } from "#contract/characters.ts";
import type {
  ProviderOutput,
  ProviderRequest,
  SyncResult,
  TranscriptSegment,
} from "#gateway/models/providers/provider.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { completeChat } from "./chat/chat.ts";
import { SandboxFailure } from "./failure.ts";
import type { AssignedMedia } from "./jobs/folder.ts";
import type { JobRunner, SandboxJob } from "./jobs/runner.ts";
import type { Task } from "./jobs/spec.ts";
import { planEdit, planSwap } from "./plans/edits.ts";
import { textField } from "./plans/fields.ts";
import { planPictures } from "./plans/pictures.ts";
import { planSpeech, presetOf } from "./plans/speech.ts";
import { manageVoices } from "./voices/manage.ts";
import { findVoice } from "./voices/store.ts";
import { embed, rank } from "./words/vectors.ts";

/** Runs a sync operation of any kind to its result. Throws SandboxFailure. */
export async function runSync(
  request: ProviderRequest,
  runner: JobRunner,
  queries: Queries,
): Promise<SyncResult> {
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

async function speech(request: ProviderRequest, runner: JobRunner, task: Task): Promise<SyncResult> {
  const { files } = await runner.make(orderOf(request, task, []));
  const [audio] = files;
  if (!audio) throw new Error("The speech job wrote no file");
  const quantity = countCharacters(textField(request, "input"));
  return { kind: "speech", audio, usage: { unit: "character", quantity } };
}

async function transcription(request: ProviderRequest, runner: JobRunner): Promise<SyncResult> {
  const recording = request.media.find(({ kind }) => kind === "audio");
  if (!recording) throw new SandboxFailure("missing_parameter", "audio is needed.", "audio");
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
