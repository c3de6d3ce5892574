import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import { recordOf, textOf } from "../http/read-body.ts";
import { upstreamFields } from "../media/fields.ts";
import { dataUri } from "../media/inputs.ts";
import type { ProviderRequest } from "../provider.ts";
import type { Mapped } from "../upstreams/mapped.ts";

/** The API of one family of voice models. */
export interface VoiceDialect {
  create(
    mapped: Mapped,
    request: ProviderRequest,
    targetModel: string | null,
  ): Promise<Record<string, unknown>>;
  /** Null if the family has no request for a single voice. */
  query(voice: string): Record<string, unknown> | null;
  delete(voice: string): Record<string, unknown>;
  /** The id of the voice in the answer to `create`. */
  idOf(output: Record<string, unknown>): string | null;
}

/** Entries with a `prefix` belong to the voice-enrollment family, the others to Qwen's. */
export function dialectOf({ operation }: ProviderRequest): VoiceDialect {
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

/** The fields of the voice itself, without those of the other actions. */
function ownFields({ input }: ProviderRequest): Record<string, unknown> {
  const { action: _, page_size: __, page_index: ___, voice: ____, target_model: _____, ...rest } = input;
  return rest;
}

function recordingFor(request: ProviderRequest, field: string) {
  const recording = request.media.find(({ kind }) => kind === "audio");
  if (!recording)
    throw new ProviderError("missing_parameter", `${field} is needed to create a voice.`, {
      started: "no",
      param: field,
    });
  return recording;
}
