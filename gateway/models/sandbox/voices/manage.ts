import { ulid } from "ulid";
import type { ProviderRequest, SyncResult } from "#gateway/models/providers/provider.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { badInput, SandboxFailure } from "../failure.ts";
import type { JobRunner } from "../jobs/runner.ts";
import { languageHints, previewCharacters, voiceTextCharacters } from "../limits.ts";
import { flagField, numberField, textField } from "../plans/fields.ts";
import { describedVoice } from "../speech/described.ts";
import { type SpeechVoice, voiceAtPitch } from "../speech/voice.ts";
import { deleteVoice, findVoice, type KnownVoice, listVoices, saveVoice } from "./store.ts";

const defaultPageSize = 10;
const longestSampleSeconds = 60;
const usualPitchHertz = 150;

/** Enrols, lists, shows or deletes voices of the account. Throws SandboxFailure. */
export async function manageVoices(
  request: ProviderRequest,
  runner: JobRunner,
  queries: Queries,
): Promise<SyncResult> {
  const data = await act(request, runner, queries);
  return { kind: "voices", data, usage: { unit: "operation", quantity: 1 } };
}

async function act(
  request: ProviderRequest,
  runner: JobRunner,
  queries: Queries,
): Promise<Record<string, unknown>> {
  const { accountId } = request;
  switch (textField(request, "action")) {
    case "create":
      return create(request, runner, queries);
    case "list": {
      const pageIndex = numberField(request, "page_index") ?? 0;
      const pageSize = numberField(request, "page_size") ?? defaultPageSize;
      const prefix = textField(request, "prefix") || null;
      const page = await listVoices(queries, {
        accountId,
        model: request.model.id,
        prefix,
        pageIndex,
        pageSize,
      });
      return {
        voices: page.voices.map(shown),
        page_index: pageIndex,
        page_size: pageSize,
        total: page.total,
      };
    }
    case "query":
      return shown(await findVoice(queries, accountId, voiceField(request)));
    case "delete": {
      const voice = voiceField(request);
      await deleteVoice(queries, accountId, voice);
      return { voice, deleted: true };
    }
    default:
      throw badInput("action must be create, list, query or delete.", "action");
  }
}

async function create(
  request: ProviderRequest,
  runner: JobRunner,
  queries: Queries,
): Promise<Record<string, unknown>> {
  refuseLongTexts(request);
  const { voice, details } = await profileOf(request, runner);
  const created: KnownVoice = {
    id: `sandbox-voice-${nameOf(request)}${ulid().toLowerCase().slice(-10)}`,
    targetModel: textField(request, "target_model") || null,
    createdAt: clock.date(),
    voice,
    details,
  };
  const preview = await previewOf(request, runner, voice);
  await saveVoice(queries, { ...created, accountId: request.accountId, model: request.model.id });
  return { ...shown(created), ...preview };
}

/** Refuses long texts, because the answer and every list of voices repeat them. */
function refuseLongTexts(request: ProviderRequest): void {
  const { language_hints: hints } = request.input;
  const isLong = (text: unknown) => typeof text === "string" && text.length > voiceTextCharacters;
  const areBad =
    Array.isArray(hints) &&
    (hints.length > languageHints || hints.some((hint) => typeof hint !== "string" || isLong(hint)));
  if (areBad)
    throw badInput(
      `The sandbox takes at most ${languageHints} language hints, each a text.`,
      "language_hints",
    );
  for (const name of ["target_model", "voice_prompt"])
    if (isLong(request.input[name]))
      throw new SandboxFailure(
        "input_too_large",
        `The sandbox keeps at most ${voiceTextCharacters.toLocaleString("en")} characters of ${name}. Shorten it.`,
        name,
      );
}

/** The voice to store: measured from a recording, or derived from a description. */
async function profileOf(
  request: ProviderRequest,
  runner: JobRunner,
): Promise<{ voice: SpeechVoice; details: Record<string, unknown> }> {
  const options = {
    ...(Array.isArray(request.input.language_hints) ? { language_hints: request.input.language_hints } : {}),
    ...(flagField(request, "enable_preprocess") === null
      ? {}
      : { enable_preprocess: flagField(request, "enable_preprocess") }),
  };
  const recording = request.media.find(({ kind }) => kind === "audio");
  const description = textField(request, "voice_prompt");
  if (!recording) {
    if (description)
      return { voice: describedVoice(description), details: { voice_prompt: description, ...options } };
    const properties = Object(request.operation.input_schema.properties);
    const field = "voice_prompt" in properties ? "url" : "audio";
    throw new SandboxFailure("missing_parameter", `${field} is required to create a voice.`, field);
  }
  const maxSeconds = numberField(request, "max_prompt_audio_length") ?? longestSampleSeconds;
  const { result } = await runner.make({
    ...runOf(request),
    task: { kind: "measure", maxSeconds },
    media: [{ media: recording, role: "sound" }],
  });
  const { seconds, rmsDecibels, peakDecibels, pitchHertz, activity } = result.data;
  const pitch = typeof pitchHertz === "number" ? pitchHertz : usualPitchHertz;
  const described = description ? describedVoice(description) : null;
  return {
    voice: described ?? voiceAtPitch(pitch, paceOf(activity)),
    details: {
      duration_seconds: rounded(seconds),
      rms_db: rmsDecibels,
      peak_db: peakDecibels,
      pitch_hz: pitchHertz ?? null,
      speech_activity: rounded(activity),
      ...(description ? { voice_prompt: description } : {}),
      ...options,
    },
  };
}

/** Many pauses mean slow speech. */
function paceOf(activity: unknown): number {
  return typeof activity === "number" ? Math.round((1.25 - 0.3 * activity) * 100) / 100 : 1;
}

function rounded(value: unknown): number | null {
  return typeof value === "number" ? Math.round(value * 100) / 100 : null;
}

async function previewOf(
  request: ProviderRequest,
  runner: JobRunner,
  voice: SpeechVoice,
): Promise<Record<string, unknown>> {
  const text = textField(request, "preview_text").trim();
  if (!text) return {};
  if (text.length > previewCharacters)
    throw new SandboxFailure(
      "input_too_large",
      `The sandbox speaks previews of at most ${previewCharacters} characters.`,
      "preview_text",
    );
  const order = { ...runOf(request), task: { kind: "speech", text, voice } as const, media: [] };
  const { files } = await runner.make(order);
  return { preview_audio: `data:audio/wav;base64,${files[0]?.toString("base64") ?? ""}` };
}

function runOf(request: ProviderRequest) {
  const { id, accountId, signal, log } = request;
  return { id, accountId, signal, log };
}

function voiceField(request: ProviderRequest): string {
  const voice = textField(request, "voice");
  if (!voice) throw new SandboxFailure("missing_parameter", "voice is required.", "voice");
  return voice;
}

/** The caller's prefix inside the id, reduced to letters, digits and dashes. */
function nameOf(request: ProviderRequest): string {
  const name = textField(request, "preferred_name") || textField(request, "prefix");
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return plain ? `${plain}-` : "";
}

function shown(voice: KnownVoice): Record<string, unknown> {
  return {
    voice: voice.id,
    target_model: voice.targetModel,
    status: "ready",
    created_at: voice.createdAt.toISOString(),
    sandbox: true,
    speaks_at_hz: voice.voice.pitchHertz,
    ...voice.details,
  };
}
