import type { Queries } from "#gateway/database/database.ts";
import type { ProviderOutput, ProviderRequest, SyncResult } from "../provider.ts";
import { completeChat } from "./chat/chat.ts";
import { SandboxFailure } from "./failure.ts";
import type { AssignedMedia } from "./jobs/folder.ts";
import type { Task } from "./jobs/spec.ts";
import type { Workshop } from "./jobs/workshop.ts";
import { familyOf } from "./operations.ts";
import { textField } from "./plans/fields.ts";
import { planPictures } from "./plans/pictures.ts";
import { planSpeech, presetOf } from "./plans/speech.ts";

/** Runs a sync operation of any kind to its result. Throws SandboxFailure. */
export async function runSync(
  request: ProviderRequest,
  workshop: Workshop,
  _queries: Queries,
): Promise<SyncResult> {
  switch (familyOf(request.model, request.operation)) {
    case "chat":
      return completeChat(request);
    case "speech-preset":
      return speech(request, workshop, planSpeech(request, presetOf(request)));
    case "pictures":
      return images(request, workshop, planPictures(request), []);
    default:
      throw new SandboxFailure(
        "operation_not_supported",
        `The sandbox does not run ${request.operation.id}.`,
      );
  }
}

async function speech(request: ProviderRequest, workshop: Workshop, task: Task): Promise<SyncResult> {
  const { files } = await workshop.make(orderOf(request, task, []));
  const [audio] = files;
  if (!audio) throw new Error("The speech job wrote no file");
  return {
    kind: "speech",
    audio,
    usage: { unit: "character", quantity: [...textField(request, "input")].length },
  };
}

async function images(
  request: ProviderRequest,
  workshop: Workshop,
  task: Task,
  media: AssignedMedia[],
): Promise<SyncResult> {
  const { result, files } = await workshop.make(orderOf(request, task, media));
  const outputs = result.outputs.flatMap(({ name: _, ...output }, index): ProviderOutput[] => {
    const bytes = files[index];
    return bytes ? [{ ...output, bytes }] : [];
  });
  return { kind: "images", outputs, usage: { unit: "generation", quantity: outputs.length } };
}

function orderOf(request: ProviderRequest, task: Task, media: AssignedMedia[]) {
  const { id, accountId, signal, log } = request;
  return { id, accountId, signal, log, task, media };
}
