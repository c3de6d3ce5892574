import type { Queries } from "#gateway/platform/database/database.ts";
import { and, count, desc, eq, like } from "#gateway/platform/database/drizzle.ts";
import { sandboxVoices } from "#gateway/platform/database/schema.ts";
import { SandboxFailure } from "../failure.ts";
import { type FliteVoice, fliteVoices, type SpeechVoice } from "../speech/voice.ts";

/** Stores a new voice of an account. */
export async function saveVoice(
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

/** One page of the voices that a model enrolled for an account, newest first, then the seeded ones. */
export async function listVoices(
  queries: Queries,
  filter: { accountId: string; model: string; prefix: string | null; pageIndex: number; pageSize: number },
): Promise<{ voices: KnownVoice[]; total: number }> {
  const own = and(
    eq(sandboxVoices.accountId, filter.accountId),
    eq(sandboxVoices.model, filter.model),
    ...(filter.prefix ? [like(sandboxVoices.id, `sandbox-voice-${escaped(filter.prefix)}%`)] : []),
  );
  const offset = filter.pageIndex * filter.pageSize;
  const [counted] = await queries.select({ total: count() }).from(sandboxVoices).where(own);
  const rows = await queries
    .select()
    .from(sandboxVoices)
    .where(own)
    .orderBy(desc(sandboxVoices.createdAt), desc(sandboxVoices.id))
    .limit(filter.pageSize)
    .offset(offset);
  const total = counted?.total ?? 0;
  const always = filter.prefix
    ? seededVoices.filter((voice) => voice.id.startsWith(`sandbox-voice-${filter.prefix}`))
    : seededVoices;
  const after = Math.max(0, offset - total);
  const rest =
    offset + filter.pageSize > total ? always.slice(after, after + filter.pageSize - rows.length) : [];
  return { voices: [...rows.map(known), ...rest], total: total + always.length };
}

/** Removes an enrolled voice. Throws `voice_not_found`, and `invalid_parameter` for a seeded one. */
export async function deleteVoice(queries: Queries, accountId: string, id: string): Promise<void> {
  if (seededVoice(id))
    throw new SandboxFailure("invalid_parameter", `${id} is built in and cannot be deleted.`, "voice");
  const removed = await queries
    .delete(sandboxVoices)
    .where(and(eq(sandboxVoices.id, id), eq(sandboxVoices.accountId, accountId)))
    .returning({ id: sandboxVoices.id });
  if (removed.length === 0) throw notFound(id);
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
    details: record(row.profile.details),
  };
}

function speechVoice(stored: unknown): SpeechVoice {
  const { engine, pitchHertz, stretch } = record(stored);
  return {
    engine: fliteVoices.find((name): name is FliteVoice => name === engine) ?? "slt",
    pitchHertz: Number(pitchHertz) || 180,
    stretch: Number(stretch) || 1,
  };
}

function record(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === "object" ? (value as Record<string, unknown>) : {};
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** A voice of the sandbox, enrolled or built in. */
export interface KnownVoice {
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

function seededVoice(id: string): KnownVoice | undefined {
  return seededVoices.find((voice) => voice.id === id);
}
