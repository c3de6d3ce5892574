import type { RegionName } from "#contract/catalog.ts";
import { clock } from "#gateway/platform/core/clock.ts";
import type { ProviderRef } from "#gateway/platform/core/provider-ref.ts";
import type { Fault } from "../http/fault.ts";
import { parsed, recordOf, textOf } from "../http/read-body.ts";
import { PollBudget } from "../jobs/poll.ts";
import { runToEnd } from "../jobs/run-to-end.ts";
import { completeChat } from "../openai/chat.ts";
import { streamChat } from "../openai/chat-stream.ts";
import { readOpenAiFault } from "../openai/fault.ts";
import type { Protocol } from "../protocol.ts";
import type { Provider, ProviderRequest, SyncResult } from "../provider.ts";
import { inRegionOf } from "../upstreams/job-status.ts";
import { supportsKind, unsupported } from "../upstreams/kinds.ts";
import type { Mapped } from "../upstreams/mapped.ts";
import type { OutputFetch } from "../upstreams/output-fetch.ts";
import { VoiceBook } from "../voices/book.ts";
import { speak, transcribe } from "./audio.ts";
import { dashScopeFacts, dashScopeKinds } from "./facts.ts";
import { makeImages } from "./images.ts";
import { servicePaths } from "./service-paths.ts";
import { cancelTask, startTask, taskStatus } from "./tasks.ts";
import { manageVoices } from "./voices.ts";

interface Parts {
  /** One budget per region of a provider, which is one upstream account. */
  budgetOf(region: RegionName): PollBudget;
  voices: VoiceBook;
  fetchOutput: OutputFetch;
}

/** DashScope's limit of task queries per account and second. */
const defaultQueriesPerSecond = 20;

/** DashScope (Alibaba Cloud Model Studio): one host and key per region, tasks for long jobs. */
export const dashScope: Protocol = {
  name: "dashscope",
  kinds: dashScopeKinds,
  hosts: {
    "cn-beijing": "https://dashscope.aliyuncs.com",
    "sg-singapore": "https://dashscope-intl.aliyuncs.com",
    "us-virginia": "https://dashscope-us.aliyuncs.com",
  },
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
