import { openAsBlob } from "node:fs";
import type { Readable } from "node:stream";
import { FormData } from "undici";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-ref.ts";
import { numberOf, recordOf, textOf } from "../http/read-body.ts";
import { jobFailure } from "../http/refusal.ts";
import { pollAfterMs } from "../jobs/poll.ts";
import { jobState } from "../jobs/states.ts";
import { askedSeconds, upstreamFields } from "../media/fields.ts";
import type { ProviderRequest, ProviderStatus } from "../provider.ts";
import type { Mapped } from "../upstreams/mapped.ts";
import { goneJob, lostJob, type Upstream } from "../upstreams/upstream.ts";
import { addFields } from "./form.ts";
import { frameSize } from "./frame-size.ts";

const videosPath = "/videos";

/** Starts a video: `POST /videos`, always as a form, like OpenAI's own client. */
export async function startVideo(
  { upstream, model, fields }: Mapped,
  request: ProviderRequest,
): Promise<{ upstreamId: string }> {
  const form = new FormData();
  const { duration: _, resolution: __, ratio: ___, media: ____, ...rest } = request.input;
  const pointers = new Set(request.media.map((media) => media.path.split("/")[1]));
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !pointers.has(name)));
  const seconds = askedSeconds(request);
  const size = frameSize(request.input);
  const sized = { ...own, ...(seconds !== null && { seconds: String(seconds) }), ...(size && { size }) };
  addFields(form, { ...upstreamFields(sized, fields), model });
  const reference = request.media.find(({ kind }) => kind !== "audio");
  if (reference)
    form.set(
      "input_reference",
      await openAsBlob(reference.file, { type: reference.contentType }),
      `reference.${reference.contentType.split("/")[1] ?? "bin"}`,
    );
  const answer = await upstream.json(request, { path: videosPath, form, wait: "job" });
  const id = textOf(answer.id);
  if (id === null) throw lostJob();
  return { upstreamId: id };
}

export async function videoStatus(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<ProviderStatus> {
  const path = videoPath(ref);
  const answer = await upstream.json(request, { method: "GET", path, wait: "job", gone: goneJob });
  const state = jobState(answer.status);
  if (state === "succeeded") {
    const url = textOf(answer.url) ?? textOf(answer.video_url) ?? textOf(recordOf(answer.output).url);
    const source = url
      ? { url }
      : { open: (signal: AbortSignal) => content(upstream, `${path}/content`, { ...request, signal }) };
    const seconds = Number(answer.seconds);
    return {
      state,
      outputs: [{ ...source, contentType: "video/mp4" }],
      ...(seconds > 0 &&
        request.operation.billing_unit === "second" && {
          usage: { unit: "second" as const, quantity: seconds },
        }),
    };
  }
  if (state === "failed") {
    const { code, message } = recordOf(answer.error);
    return { state, error: jobFailure({ code: textOf(code), message: textOf(message), param: null }) };
  }
  if (state === "canceled") return { state };
  const progress = numberOf(answer.progress);
  return { state, ...(progress !== null && { progress }), pollAfterMs: pollAfterMs(ref.startedAt) };
}

/** Removes the upstream's copy; best effort. */
export async function forgetVideo(
  upstream: Upstream,
  ref: ProviderRef,
  caller: Parameters<Upstream["open"]>[0],
) {
  const answer = await upstream.open(caller, { method: "DELETE", path: videoPath(ref), wait: "job" });
  answer.body.resume();
}

async function content(upstream: Upstream, path: string, request: ProviderRequest): Promise<Readable> {
  const gone = () =>
    new ProviderError("upstream_invalid_response", "The provider reported success without an output.", {
      started: "yes",
      final: true,
    });
  return (await upstream.open(request, { method: "GET", path, gone })).body;
}

function videoPath(ref: ProviderRef): string {
  return `${videosPath}/${encodeURIComponent(String(ref.upstreamId))}`;
}
