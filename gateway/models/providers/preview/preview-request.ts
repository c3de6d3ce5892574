import { writeFile } from "node:fs/promises";
import path from "node:path";
import { FormData } from "undici";
import type { RegionName } from "#contract/catalog.ts";
import type { RouteEntry, RoutePreview } from "#contract/operator/routes.ts";
import type { CompiledOperation } from "#gateway/models/catalog/catalog.ts";
import type { ModelsContext } from "#gateway/models/context.ts";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { Connection } from "../configuration.ts";
import type { HttpCall } from "../http/http-client.ts";
import { parsed, recordOf } from "../http/read-body.ts";
import { protocolOf, settingsOf } from "../protocols.ts";
import type { Provider, ProviderRequest, ResolvedMedia } from "../provider.ts";
import { type Transport, Upstream } from "../upstreams/upstream.ts";

interface Options {
  connection: Pick<Connection, "name" | "entry">;
  route: RouteEntry;
  compiled: CompiledOperation;
  region: RegionName;
  /** The checked body, with the schema's defaults. */
  body: Record<string, unknown>;
  /** The part of the body that the provider gets. */
  input: Record<string, unknown>;
}

type Surroundings = Pick<ModelsContext, "config" | "database" | "log" | "scratch">;

/**
 * The request that a route would send for an input. Runs the code that sends real requests, but with a
 * transport that only records them. Null if nothing would be sent. Throws ProviderError for an input that the
 * route cannot express.
 */
export function previewRequest(
  { config, database, log, scratch }: Surroundings,
  { connection: { name, entry }, route, compiled, region, body, input }: Options,
): Promise<RoutePreview["request"] | null> {
  return scratch.withDirectory(async (directory) => {
    const recorder = new Recorder();
    const keyless = { name, entry, keys: new Map(), allowPrivate: true, isLeaving: false };
    const upstream = new Upstream(settingsOf(keyless, log), recorder);
    const provider = protocolOf(entry.protocol).open({
      entry,
      database,
      fetchOutput: (url, signal, limit) => upstream.openOutput(url, signal, limit),
    })({
      upstream,
      model: route.upstream_model,
      path: route.path,
      fields: route.fields,
      marksBeginning: route.cache_breakpoint,
      media: { ...upstream.settings, config },
      modelNameOf: () => null,
      catalogIdOf: () => null,
    });
    const request: ProviderRequest = {
      id: "pred_preview",
      accountId: "acct_preview",
      model: compiled.model,
      operation: compiled.operation,
      engine: compiled.engine,
      region,
      input,
      media: await exampleMedia(compiled, body, directory),
      mediaUrl: async (media) => `${config.publicUrl}/v1/files/…${media.path}`,
      signal: AbortSignal.timeout(config.predictionDeadlineMs),
      log,
    };
    const failure = await run(provider, request).then(
      () => null,
      (error: unknown) => error,
    );
    await upstream.close();
    if (recorder.call) return shown(recorder.call);
    if (failure) throw failure;
    return null;
  });
}

/** Runs the operation as the pipeline does. */
async function run(provider: Provider, request: ProviderRequest): Promise<unknown> {
  const { execution_mode: mode } = request.operation;
  if (mode === "async") {
    const started = await provider.start(request);
    return started.result;
  }
  if (mode === "sync-or-stream" && request.input.stream === true)
    return provider.stream(request)[Symbol.asyncIterator]().next();
  return provider.execute(request);
}

function shown({ method, to, headers, body }: HttpCall): RoutePreview["request"] {
  const { authorization: _, accept: __, "user-agent": ___, ...others } = headers;
  return {
    method,
    url: to.origin + to.path,
    headers: others,
    json: typeof body === "string" ? recordOf(parsed(withoutBytes(body))) : null,
    form: body instanceof FormData ? partsOfForm(body) : null,
  };
}

const usualTypes = { image: "image/png", audio: "audio/wav", video: "video/mp4" } as const;
const placeholder = "…";
const placeholderBase64 = Buffer.from(placeholder).toString("base64");

/** The media of an input in resolved form, but without their bytes: a preview fetches and opens nothing. */
async function exampleMedia(
  compiled: CompiledOperation,
  body: Record<string, unknown>,
  directory: string,
): Promise<ResolvedMedia[]> {
  const file = path.join(directory, "placeholder");
  await writeFile(file, placeholder);
  return compiled.mediaOf(body).map(({ path: pointer, kind, value }) => {
    const known = kind === "any" ? kindOf(value) : kind;
    const contentType = /^data:([\w.+-]+\/[\w.+-]+)[;,]/.exec(value)?.[1] ?? usualTypes[known];
    return { path: pointer, kind: known, contentType, sizeBytes: placeholder.length, file };
  });
}

/** Replaces the placeholder bytes of the media by `…`. */
function withoutBytes(json: string): string {
  return json.replaceAll(`;base64,${placeholderBase64}`, `;base64,${placeholder}`);
}

function kindOf(value: string): ResolvedMedia["kind"] {
  const kind = /^data:(image|audio|video)\//.exec(value)?.[1] as ResolvedMedia["kind"] | undefined;
  return kind ?? "image";
}

/** Replaces the transport: records the first call and sends nothing. */
class Recorder implements Transport {
  call: HttpCall | null = null;

  send(call: HttpCall): Promise<never> {
    this.call ??= call;
    return Promise.reject(
      new ProviderError("service_unavailable", "A preview sends nothing.", { started: "no" }),
    );
  }

  sendWhole(call: HttpCall): Promise<never> {
    return this.send(call);
  }

  async close(): Promise<void> {}
  async finish(): Promise<void> {}
}

interface FormPart {
  name: string;
  value: string | null;
  file: { name: string; content_type: string } | null;
}

/** The parts of a form; files by name and type. */
function partsOfForm(form: FormData): FormPart[] {
  return [...form.entries()].map(([name, value]) =>
    typeof value === "string"
      ? { name, value, file: null }
      : { name, value: null, file: { name: value.name, content_type: value.type } },
  );
}
