import { ulid } from "ulid";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import type { ProviderRequest, SyncResult } from "#gateway/models/providers/provider.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, desc, eq, like } from "#gateway/platform/database/drizzle.ts";
import { sandboxVoices } from "#gateway/platform/database/schema.ts";
import { badInput, SandboxFailure } from "./failure.ts";
import type { JobRunner } from "./jobs/runner.ts";
import { languageHints, previewCharacters, voiceTextCharacters } from "./limits.ts";
import { flagField, numberField, textField } from "./plans/fields.ts";
import {
  describedVoice,
  type FliteVoice,
  fliteVoices,
  type SpeechVoice,
  voiceAtPitch,
} from "./speech/voice.ts";

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

/** A voice of the sandbox, enrolled or built in. */
interface KnownVoice {
  id: string;
  targetModel: string | null;
  createdAt: Date;
  voice: SpeechVoice;
  /** The measurements or description from its creation. */
  details: Record<string, unknown>;
}

const since = new Date("2026-01-01T00:00:00Z");

/** Two voices that every account has from the start. They cannot be deleted. */
const seededVoices: readonly KnownVoice[] = [
  {
    id: "sandbox-voice-ada",
    targetModel: null,
    createdAt: since,
    voice: { engine: "slt", pitchHertz: 205, stretch: 1 },
    details: { seeded: true, pitch_hz: 205 },
  },
  {
    id: "sandbox-voice-kai",
    targetModel: null,
    createdAt: since,
    voice: { engine: "kal16", pitchHertz: 112, stretch: 1.05 },
    details: { seeded: true, pitch_hz: 112 },
  },
];

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

/** The voice with this id, if the account may use it. Throws `voice_not_found`. */
export async function findVoice(queries: Queries, accountId: string, id: string): Promise<KnownVoice> {
  const seeded = seededVoice(id);
  if (seeded) return seeded;
  const [row] = await queries
    .select()
    .from(sandboxVoices)
    .where(and(eq(sandboxVoices.id, id), eq(sandboxVoices.accountId, accountId)));
  if (!row) throw notFound(id);
  return known(row);
}

function notFound(id: string): SandboxFailure {
  return new SandboxFailure(
    "voice_not_found",
    `There is no voice "${id.slice(0, 80)}". Enrol one, or use ${seededVoices.map((voice) => voice.id).join(" or ")}.`,
    "voice",
  );
}

function known(row: typeof sandboxVoices.$inferSelect): KnownVoice {
  return {
    id: row.id,
    targetModel: row.targetModel,
    createdAt: row.createdAt,
    voice: speechVoice(row.profile.voice),
    details: recordOf(row.profile.details),
  };
}

function speechVoice(stored: unknown): SpeechVoice {
  const { engine, pitchHertz, stretch } = recordOf(stored);
  return {
    engine: fliteVoices.find((name): name is FliteVoice => name === engine) ?? "slt",
    pitchHertz: Number(pitchHertz) || 180,
    stretch: Number(stretch) || 1,
  };
}

function seededVoice(id: string): KnownVoice | undefined {
  return seededVoices.find((voice) => voice.id === id);
}

/** One page of the voices that a model enrolled for an account, newest first, then the seeded ones. */
async function listVoices(
  queries: Queries,
  filter: { accountId: string; model: string; prefix: string | null; pageIndex: number; pageSize: number },
): Promise<{ voices: KnownVoice[]; total: number }> {
  const own = and(
    eq(sandboxVoices.accountId, filter.accountId),
    eq(sandboxVoices.model, filter.model),
    ...(filter.prefix ? [like(sandboxVoices.id, `sandbox-voice-${escaped(filter.prefix)}%`)] : []),
  );
  const offset = filter.pageIndex * filter.pageSize;
  const total = await queries.$count(sandboxVoices, own);
  const rows = await queries
    .select()
    .from(sandboxVoices)
    .where(own)
    .orderBy(desc(sandboxVoices.createdAt), desc(sandboxVoices.id))
    .limit(filter.pageSize)
    .offset(offset);
  const always = filter.prefix
    ? seededVoices.filter((voice) => voice.id.startsWith(`sandbox-voice-${filter.prefix}`))
    : seededVoices;
  const after = Math.max(0, offset - total);
  const rest =
    offset + filter.pageSize > total ? always.slice(after, after + filter.pageSize - rows.length) : [];
  return { voices: [...rows.map(known), ...rest], total: total + always.length };
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** Removes an enrolled voice. Throws `voice_not_found`, and `invalid_parameter` for a seeded one. */
async function deleteVoice(queries: Queries, accountId: string, id: string): Promise<void> {
  if (seededVoice(id))
    throw new SandboxFailure("invalid_parameter", `${id} is built in and cannot be deleted.`, "voice");
  const removed = await queries
    .delete(sandboxVoices)
    .where(and(eq(sandboxVoices.id, id), eq(sandboxVoices.accountId, accountId)))
    .returning({ id: sandboxVoices.id });
  if (removed.length === 0) throw notFound(id);
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

/** Stores a new voice of an account. */
async function saveVoice(
  queries: Queries,
  voice: KnownVoice & { accountId: string; model: string },
): Promise<void> {
  await queries.insert(sandboxVoices).values({
    id: voice.id,
    accountId: voice.accountId,
    model: voice.model,
    targetModel: voice.targetModel,
    profile: { voice: voice.voice, details: voice.details },
    createdAt: voice.createdAt,
  });
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
