import { clock } from "#gateway/platform/core/clock.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { Queries } from "#gateway/platform/database/database.ts";
import { and, desc, eq } from "#gateway/platform/database/drizzle.ts";
import { enrolledVoices } from "#gateway/platform/database/schema.ts";
import { invalidAnswer, maxBytes, recordOf, textOf } from "../http/read-body.ts";
import { dataUri, upstreamFields } from "../media/inputs.ts";
import type { Mapped } from "../protocol.ts";
import type { ProviderRequest, SyncResult } from "../provider.ts";
import { servicePaths } from "./requests.ts";

const defaultPageSize = 10;

/** A voice that an upstream enrolled for one account. */
interface EnrolledVoice {
  id: string;
  provider: string;
  region: string;
  accountId: string;
  /** The catalog entry that enrolled it. */
  model: string;
  targetModel: string | null;
  createdAt: Date;
}

type Scope = Pick<EnrolledVoice, "provider" | "region" | "accountId" | "model">;

/** Records which account owns a voice, because at the upstream all voices belong to the gateway's account. */
export class VoiceBook {
  private readonly queries: Queries;

  constructor(queries: Queries) {
    this.queries = queries;
  }

  async add(voice: EnrolledVoice): Promise<void> {
    await this.queries.insert(enrolledVoices).values(voice);
  }

  /** The account's voice. Throws `voice_not_found`, also for another account's. */
  async find(scope: Scope, id: string): Promise<EnrolledVoice> {
    const [row] = await this.queries
      .select()
      .from(enrolledVoices)
      .where(and(inScope(scope), eq(enrolledVoices.id, id)));
    if (!row) throw notFound(id);
    return row;
  }

  /** Newest first. */
  async list(
    scope: Scope & { pageIndex: number; pageSize: number },
  ): Promise<{ voices: EnrolledVoice[]; total: number }> {
    const total = await this.queries.$count(enrolledVoices, inScope(scope));
    const voices = await this.queries
      .select()
      .from(enrolledVoices)
      .where(inScope(scope))
      .orderBy(desc(enrolledVoices.createdAt), desc(enrolledVoices.id))
      .limit(scope.pageSize)
      .offset(scope.pageIndex * scope.pageSize);
    return { voices, total };
  }

  async remove({ provider, region, id }: EnrolledVoice): Promise<void> {
    await this.queries
      .delete(enrolledVoices)
      .where(
        and(
          eq(enrolledVoices.provider, provider),
          eq(enrolledVoices.region, region),
          eq(enrolledVoices.id, id),
        ),
      );
  }

  /**
   * Lets an account use its own voices and voices that no account enrolled here (the upstream's presets).
   * Throws `voice_not_found` for another account's.
   */
  async checkUse(use: Pick<EnrolledVoice, "provider" | "region" | "accountId">, id: string): Promise<void> {
    const [row] = await this.queries
      .select({ accountId: enrolledVoices.accountId })
      .from(enrolledVoices)
      .where(
        and(
          eq(enrolledVoices.provider, use.provider),
          eq(enrolledVoices.region, use.region),
          eq(enrolledVoices.id, id),
        ),
      );
    if (row && row.accountId !== use.accountId) throw notFound(id);
  }
}

/**
 * Enrols, lists, shows and deletes voices. All accounts of the gateway share one upstream account, so the
 * gateway records each voice's owner: no account sees, uses or deletes another's.
 */
export async function manageVoices(
  mapped: Mapped,
  request: ProviderRequest,
  book: VoiceBook,
): Promise<SyncResult> {
  const data = await act(mapped, request, book);
  return { kind: "voices", data, usage: { unit: "operation", quantity: 1 } };
}

function inScope(scope: Scope) {
  return and(
    eq(enrolledVoices.provider, scope.provider),
    eq(enrolledVoices.region, scope.region),
    eq(enrolledVoices.accountId, scope.accountId),
    eq(enrolledVoices.model, scope.model),
  );
}

function notFound(id: string): ProviderError {
  const message = `There is no voice "${id.slice(0, 80)}". Create it first, or use one of your other voices.`;
  return refusal("voice_not_found", message, "voice");
}

function refusal(code: ProviderError["code"], message: string, param: string): ProviderError {
  return new ProviderError(code, message, { started: "no", param });
}

async function act(
  mapped: Mapped,
  request: ProviderRequest,
  book: VoiceBook,
): Promise<Record<string, unknown>> {
  const { input } = request;
  switch (input.action) {
    case "create":
      return create(mapped, request, book);
    case "list": {
      const pageIndex = Number(input.page_index ?? 0);
      const pageSize = Number(input.page_size ?? defaultPageSize);
      const page = await book.list({ ...scopeOf(mapped, request), pageIndex, pageSize });
      return {
        voices: page.voices.map(shown),
        page_index: pageIndex,
        page_size: pageSize,
        total: page.total,
      };
    }
    case "query": {
      const voice = await book.find(scopeOf(mapped, request), voiceField(request));
      const question = dialectOf(request).query(voice.id);
      const said = question ? await ask(mapped, request, question) : {};
      const status = textOf(said.status)?.toLowerCase();
      return { ...shown(voice), ...(status && { status: status === "ok" ? "ready" : status }) };
    }
    case "delete": {
      const voice = await book.find(scopeOf(mapped, request), voiceField(request));
      await ask(mapped, request, dialectOf(request).delete(voice.id));
      await book.remove(voice);
      return { voice: voice.id, deleted: true };
    }
    default:
      throw refusal("invalid_parameter", "action must be create, list, query or delete.", "action");
  }
}

async function create(
  mapped: Mapped,
  request: ProviderRequest,
  book: VoiceBook,
): Promise<Record<string, unknown>> {
  const target = textOf(request.input.target_model);
  const targetModel = target && (mapped.modelNameOf(target, request.region) ?? target);
  const dialect = dialectOf(request);
  const output = await ask(mapped, request, await dialect.create(mapped, request, targetModel));
  const id = dialect.idOf(output);
  if (id === null) throw invalidAnswer("The provider enrolled a voice but returned no id for it.");
  const voice: EnrolledVoice = {
    id,
    provider: mapped.upstream.name,
    region: request.region,
    accountId: request.accountId,
    model: request.model.id,
    targetModel: target ?? catalogTarget(mapped, request, output),
    createdAt: clock.date(),
  };
  await book.add(voice);
  const preview = recordOf(output.preview_audio);
  const sound = textOf(preview.data);
  const format = textOf(preview.response_format) ?? "wav";
  return { ...shown(voice), ...(sound && { preview_audio: `data:audio/${format};base64,${sound}` }) };
}

async function ask(
  { upstream, model, path }: Mapped,
  request: ProviderRequest,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const call = { path: path ?? servicePaths.voices, json: { model, input } };
  return recordOf((await upstream.json(request, call, maxBytes.media)).output);
}

function scopeOf({ upstream }: Mapped, { accountId, region, model }: ProviderRequest) {
  return { provider: upstream.name, region, accountId, model: model.id };
}

function catalogTarget(
  mapped: Mapped,
  request: ProviderRequest,
  output: Record<string, unknown>,
): string | null {
  const named = textOf(output.target_model);
  return named && (mapped.catalogIdOf(named, request.region) ?? named);
}

function shown(voice: EnrolledVoice): Record<string, unknown> {
  return {
    voice: voice.id,
    target_model: voice.targetModel,
    status: "ready",
    created_at: voice.createdAt.toISOString(),
  };
}

function voiceField({ input }: ProviderRequest): string {
  const voice = textOf(input.voice);
  if (voice === null) throw refusal("missing_parameter", "voice is required.", "voice");
  return voice;
}

/** The API of one family of voice models. */
interface VoiceDialect {
  create(
    mapped: Mapped,
    request: ProviderRequest,
    targetModel: string | null,
  ): Promise<Record<string, unknown>>;
  /** Null if the family cannot query a single voice. */
  query(voice: string): Record<string, unknown> | null;
  delete(voice: string): Record<string, unknown>;
  /** The voice's id in the answer to `create`. */
  idOf(output: Record<string, unknown>): string | null;
}

/** Entries with a `prefix` belong to the voice-enrollment family, the others to Qwen's. */
function dialectOf({ operation }: ProviderRequest): VoiceDialect {
  return "prefix" in recordOf(operation.input_schema.properties) ? voiceEnrollment : qwenEnrollment;
}

const qwenEnrollment: VoiceDialect = {
  async create({ fields }, request, targetModel) {
    const { audio: _, ...rest } = ownFields(request);
    return {
      action: "create",
      ...upstreamFields(rest, fields),
      ...(targetModel && { target_model: targetModel }),
      audio: { data: await dataUri(recordingFor(request, "audio")) },
    };
  },
  query: () => null,
  delete: (voice) => ({ action: "delete", voice }),
  idOf: (output) => textOf(output.voice),
};

const voiceEnrollment: VoiceDialect = {
  async create({ fields }, request, targetModel) {
    const { url: _, ...rest } = ownFields(request);
    const described = typeof rest.voice_prompt === "string" && rest.voice_prompt !== "";
    return {
      action: "create_voice",
      ...upstreamFields(rest, fields),
      ...(targetModel && { target_model: targetModel }),
      // This service fetches the recording itself and does not accept a data URI.
      ...(!described && { url: await request.mediaUrl(recordingFor(request, "url")) }),
    };
  },
  query: (voice) => ({ action: "query_voice", voice_id: voice }),
  delete: (voice) => ({ action: "delete_voice", voice_id: voice }),
  idOf: (output) => textOf(output.voice_id) ?? textOf(output.voice),
};

/** The fields that describe the voice, without those that only other actions use. */
function ownFields({ input }: ProviderRequest): Record<string, unknown> {
  const { action: _, page_size: __, page_index: ___, voice: ____, target_model: _____, ...rest } = input;
  return rest;
}

function recordingFor(request: ProviderRequest, field: string) {
  const recording = request.media.find(({ kind }) => kind === "audio");
  if (!recording) throw refusal("missing_parameter", `${field} is required to create a voice.`, field);
  return recording;
}
