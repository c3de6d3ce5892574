import type { ApiType, RegionName } from "#contract/catalog.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-error.ts";
import { maxBytes, numberOf, parsed, recordOf, recordsOf, textOf } from "../http/read-body.ts";
import { type Fault, jobFailure } from "../http/refusal.ts";
import { cancelJob, inRegionOf, jobState, PollBudget, pollAfterMs, runToEnd } from "../jobs.ts";
import { mediaText } from "../media/inputs.ts";
import { outputsOf } from "../media/outputs.ts";
import { completeChat, readOpenAiFault, streamChat } from "../openai/chat.ts";
import {
  listed,
  type Mapped,
  type OutputFetch,
  otherServer,
  type Protocol,
  type ProtocolFacts,
  preset,
  supportsKind,
  unsupported,
} from "../protocol.ts";
import type { Provider, ProviderRequest, ProviderStatus, SyncResult } from "../provider.ts";
import { goneJob, lostJob, type Upstream } from "../upstreams/upstream.ts";
import { asJob, partsOf, promptOf, servicePaths, speak, transcribe, videoRequest } from "./requests.ts";
import { manageVoices, VoiceBook } from "./voices.ts";

interface Parts {
  /** Limits the job queries per region, because each region of a provider is a separate upstream account. */
  budgetOf(region: RegionName): PollBudget;
  voices: VoiceBook;
  fetchOutput: OutputFetch;
}

/** DashScope's limit of task queries per account and second. */
const defaultQueriesPerSecond = 20;

const modelsPath = "/compatible-mode/v1/models";

/** All kinds of operations that DashScope runs. */
const dashScopeKinds: ApiType[] = [
  "chat-completions",
  "text-to-speech",
  "audio-transcription",
  "voice-management",
  "image-generation",
  "image-editing",
  "video-generation",
];

const hosts = {
  "cn-beijing": "https://dashscope.aliyuncs.com",
  "sg-singapore": "https://dashscope-intl.aliyuncs.com",
  "us-virginia": "https://dashscope-us.aliyuncs.com",
};

const dashScopeFacts: ProtocolFacts = {
  checks: () => [{ path: modelsPath, success: listed }],
  listPaths: () => [modelsPath],
  searches: true,
  describeModel: null,
  servicePaths: true,
  presets: [
    preset({
      id: "dashscope",
      name: "DashScope (Alibaba Cloud Model Studio)",
      base_urls: hosts,
      key_url: "https://bailian.console.alibabacloud.com/?tab=model#/api-key",
      runs: dashScopeKinds,
      note: "A key belongs to one region.",
    }),
    otherServer("dashscope", "DashScope's API", dashScopeKinds),
  ],
};

/** DashScope (Alibaba Cloud Model Studio): one host and key per region, tasks for long jobs. */
export const dashScope: Protocol = {
  name: "dashscope",
  kinds: dashScopeKinds,
  hosts,
  scheme: "Bearer",
  facts: dashScopeFacts,
  readFault: readDashScopeFault,
  open: ({ entry, database, fetchOutput }) => {
    const budgets = new Map<RegionName, PollBudget>();
    const budgetOf = (region: RegionName): PollBudget => {
      const known = budgets.get(region);
      if (known) return known;
      const fresh = new PollBudget(entry.queries_per_second ?? defaultQueriesPerSecond);
      budgets.set(region, fresh);
      return fresh;
    };
    const voices = new VoiceBook(database.queries);
    return (mapped) => createDashScope(mapped, { budgetOf, voices, fetchOutput });
  },
};

function createDashScope(mapped: Mapped, { budgetOf, voices, fetchOutput }: Parts): Provider {
  const { upstream } = mapped;
  const provider: Provider = {
    id: upstream.name,
    sandbox: false,
    restartable: false,
    supports: supportsKind(dashScopeKinds, "dashscope"),

    async execute(request): Promise<SyncResult> {
      switch (request.operation.api_type) {
        case "chat-completions":
          return completeChat(mapped, request, servicePaths.chat);
        case "text-to-speech": {
          const { region, accountId, input } = request;
          if (typeof input.voice === "string")
            await voices.checkUse({ provider: upstream.name, region, accountId }, input.voice);
          return speak(mapped, request, fetchOutput);
        }
        case "audio-transcription":
          return transcribe(mapped, request);
        case "voice-management":
          return manageVoices(mapped, request, voices);
        case "image-generation":
        case "image-editing":
          return mapped.path?.includes("/image-generation/") || mapped.path?.includes("image2image")
            ? imagesByTask(provider, request, upstream.settings.timeouts.runMs)
            : makeImages(mapped, request);
        default:
          throw unsupported(request);
      }
    },

    stream: (request) => streamChat(mapped, request, servicePaths.chat),

    async start(request) {
      const ref = { provider: upstream.name, region: request.region, startedAt: clock.now() };
      return { ref: { ...ref, ...(await startTask(mapped, request)) }, pollAfterMs: 2_000 };
    },

    status: (ref, request) => taskStatus(upstream, budgetOf(regionOf(ref)), ref, inRegionOf(ref, request)),
    cancel: (ref, request) => cancelTask(upstream, ref, inRegionOf(ref, request)),
  };
  return provider;
}

/** Makes or edits images and waits for them. */
async function makeImages(mapped: Mapped, request: ProviderRequest): Promise<SyncResult> {
  const { upstream, path } = mapped;
  const json = await imageRequest(mapped, request);
  const answer = await upstream.json(
    request,
    { path: path ?? servicePaths.multimodal, json },
    maxBytes.media,
  );
  const outputs = outputsOf(imagesOf(answer.output), request);
  const quantity = numberOf(recordOf(answer.usage).image_count) ?? outputs.length;
  return { kind: "images", outputs, usage: { unit: "generation", quantity } };
}

/** One user message: the pictures in order, then the text. */
async function imageRequest(mapped: Mapped, request: ProviderRequest): Promise<Record<string, unknown>> {
  const { prompt: _, image: __, ...rest } = request.input;
  const { input, parameters } = partsOf(rest, mapped.fields);
  const pictures = request.media.filter(({ kind }) => kind === "image");
  const content: Record<string, string>[] = [];
  for (const picture of pictures) content.push({ image: await mediaText(request, picture, mapped.media) });
  const text = promptOf(request);
  if (text) content.push({ text });
  return { model: mapped.model, input: { ...input, messages: [{ role: "user", content }] }, parameters };
}

/** The URLs of an answer or task: `choices[].message.content[].image`, else `results[].url`. */
function imagesOf(value: unknown): unknown[] {
  const output = recordOf(value);
  const inChoices = recordsOf(output.choices).flatMap((choice) =>
    recordsOf(recordOf(choice.message).content).map((part) => part.image),
  );
  const results = recordsOf(output.results).map((result) => result.url ?? result.image);
  return [...inChoices, ...results, output.image_url].filter((url) => textOf(url) !== null);
}

/** Submits a video or image job; returns its task id. */
async function startTask(mapped: Mapped, request: ProviderRequest): Promise<{ taskId: string }> {
  const isVideo = request.operation.api_type === "video-generation";
  const json = isVideo ? await videoRequest(mapped, request) : await imageRequest(mapped, request);
  const path = mapped.path ?? (isVideo ? servicePaths.videoJob : servicePaths.imageJob);
  const answer = await mapped.upstream.json(request, { path, json, headers: asJob, wait: "job" });
  const taskId = textOf(recordOf(answer.output).task_id);
  if (taskId === null) throw lostJob();
  return { taskId };
}

async function taskStatus(
  upstream: Upstream,
  budget: PollBudget,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<ProviderStatus> {
  const turnInMs = budget.take();
  if (turnInMs !== null) return { state: "running", pollAfterMs: turnInMs };
  const path = servicePaths.task(String(ref.taskId));
  const answer = await upstream.json(request, { method: "GET", path, wait: "job", gone: goneJob });
  const output = recordOf(answer.output);
  const state = jobState(output.task_status);
  switch (state) {
    case "queued":
    case "running":
      return { state, pollAfterMs: pollAfterMs(ref.startedAt) };
    case "succeeded":
      return succeeded(answer, request);
    case "canceled":
      return { state };
    case "failed": {
      const fault = { code: textOf(output.code), message: textOf(output.message), param: null };
      const forgotten = String(output.task_status).toUpperCase() === "UNKNOWN" && fault.code === null;
      return { state, error: forgotten ? goneJob() : jobFailure(fault) };
    }
  }
}

function succeeded(answer: Record<string, unknown>, request: ProviderRequest): ProviderStatus {
  const output = recordOf(answer.output);
  const results = recordOf(output.results);
  const isVideo = request.operation.api_type === "video-generation";
  const files = isVideo
    ? [output.video_url ?? output.output_video_url ?? results.video_url ?? output.results]
    : imagesOf(output);
  const usage = recordOf(answer.usage);
  const seconds =
    numberOf(usage.output_video_duration) ?? numberOf(usage.video_duration) ?? numberOf(usage.duration);
  const billed = request.operation.billing_unit === "second" && seconds !== null && seconds > 0;
  return {
    state: "succeeded",
    outputs: outputsOf(files, request),
    ...(billed && { usage: { unit: "second", quantity: Math.ceil(seconds) } }),
  };
}

/** `POST /tasks/{id}/cancel` works only while a task is queued. */
async function cancelTask(
  upstream: Upstream,
  ref: ProviderRef,
  request: ProviderRequest,
): Promise<"canceled" | "too_late"> {
  const path = `${servicePaths.task(String(ref.taskId))}/cancel`;
  return (await cancelJob(upstream, request, { path, json: {} })) === null ? "too_late" : "canceled";
}

async function imagesByTask(jobs: Provider, request: ProviderRequest, runMs: number): Promise<SyncResult> {
  const { outputs } = await runToEnd(jobs, request, runMs);
  return { kind: "images", outputs, usage: { unit: "generation", quantity: outputs.length } };
}

function regionOf(ref: ProviderRef): RegionName {
  return ref.region as RegionName;
}

/** DashScope: `{code, message, request_id}`; its compatible mode answers like OpenAI. */
function readDashScopeFault(text: string): Fault {
  const body = recordOf(parsed(text));
  if (body.error !== undefined) return readOpenAiFault(text);
  return { code: textOf(body.code), message: textOf(body.message), param: null };
}
