import type { Context } from "#gateway/context.ts";
import type { StoredOutput } from "#gateway/database/tables/predictions.ts";
import type { Answer } from "#gateway/http/idempotency.ts";
import type { Provider, SyncResult } from "#gateway/providers/provider.ts";
import { holdFiles } from "#gateway/storage/held-files.ts";
import { outputUrl } from "#gateway/storage/signed-urls.ts";
import type { Admitted } from "./admit.ts";
import { storeOutputs } from "./outputs.ts";

const notInHeaders = /[^\x21-\x2b\x2d-\x7e]/gu;
const ignoredMaxLength = 1000;

/** The headers that every answered operation carries. */
export function operationHeaders(admitted: Admitted, id: string, provider: Provider): Record<string, string> {
  return {
    "x-svc-generation-id": id,
    "x-svc-region": admitted.region,
    ...(provider.sandbox && { "x-svc-sandbox": "true" }),
    ...ignoredHeader(admitted),
  };
}

/** Names the parameters that were not used: any text a client chose, so encoded as a header needs it, and cut. */
export function ignoredHeader({ ignored }: Admitted): Record<string, string> {
  let names = "";
  for (const name of ignored) {
    const encoded = name.toWellFormed().replaceAll(notInHeaders, encodeURIComponent);
    if (names.length + encoded.length > ignoredMaxLength) break;
    names += names === "" ? encoded : `, ${encoded}`;
  }
  return names === "" ? {} : { "x-svc-ignored-params": names };
}

/** Shapes a sync result as OpenAI's clients read it, with the fields that the specification requires. */
export async function answerOf(
  context: Context,
  admitted: Admitted,
  id: string,
  provider: Provider,
  result: SyncResult,
  signal: AbortSignal,
): Promise<Answer> {
  const headers: Record<string, string> = {
    ...operationHeaders(admitted, id, provider),
    "content-type": "application/json; charset=utf-8",
  };
  const common = { id, model: admitted.compiled.model.id, svc_region: admitted.region };
  const { usage } = result;
  switch (result.kind) {
    case "chat":
      return {
        status: 200,
        headers,
        body: { ...common, object: "chat.completion", created: unixNow(), ...result.completion },
      };
    case "speech":
      headers["content-type"] = "audio/wav";
      headers[`x-svc-usage-${usage.unit}s`] = String(usage.quantity);
      return { status: 200, headers, body: result.audio };
    case "transcription":
      return {
        status: 200,
        headers,
        body: {
          ...common,
          text: result.text,
          ...(result.language && { language: result.language }),
          ...(result.durationSeconds !== undefined && { duration_seconds: result.durationSeconds }),
          usage,
        },
      };
    case "voices":
      return {
        status: 200,
        headers,
        body: { ...common, action: admitted.body.action, data: result.data, usage },
      };
    case "images":
      return {
        status: 200,
        headers,
        body: {
          ...common,
          created: unixNow(),
          data: await images(context, admitted, id, result, signal),
          usage,
        },
      };
  }
}

async function images(
  context: Context,
  admitted: Admitted,
  id: string,
  result: Extract<SyncResult, { kind: "images" }>,
  signal: AbortSignal,
): Promise<Record<string, unknown>[]> {
  const { accountId } = admitted.actor;
  const expiresAt = new Date(Date.now() + context.config.retentionMs);
  const hold = async (outputs: StoredOutput[]) => {
    await holdFiles(context, { id, accountId, keys: outputs.map(({ key }) => key), until: expiresAt });
    return true;
  };
  const stored = (await storeOutputs(context, id, result.outputs, signal, hold)) ?? [];
  const inline = admitted.body.response_format === "b64_json";
  return Promise.all(
    stored.map(async (output) => ({
      ...(inline
        ? { b64_json: await base64Of(context, output.key) }
        : { url: outputUrl(context, output.key, { expiresAt }), expires_at: expiresAt.toISOString() }),
      content_type: output.contentType,
      width: output.width,
      height: output.height,
    })),
  );
}

async function base64Of(context: Context, key: string): Promise<string> {
  const object = await context.store.get(key);
  if (!object) return "";
  const chunks: Buffer[] = [];
  for await (const chunk of object.stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("base64");
}

export function unixNow(): number {
  return Math.floor(Date.now() / 1000);
}
