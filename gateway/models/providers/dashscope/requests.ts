import { byName } from "#contract/by-name.ts";
import {
  invalidAnswer,
  maxBytes,
  numberOf,
  readBytes,
  recordOf,
  recordsOf,
  textOf,
} from "../http/read-body.ts";
import { inputWithMedia, mediaText, upstreamFields } from "../media/inputs.ts";
import { recordingOf, transcription, wavOf } from "../media/outputs.ts";
import type { Mapped, OutputFetch } from "../protocol.ts";
import type { ProviderRequest, SyncResult } from "../provider.ts";

/** The fields that DashScope expects under `parameters`; all others belong to `input`. */
const parameterNames = new Set([
  "n",
  "size",
  "seed",
  "resolution",
  "duration",
  "ratio",
  "mode",
  "audio",
  "watermark",
  "prompt_extend",
  "quality",
  "output_format",
  "loras",
  "high_noise_loras",
  "low_noise_loras",
]);

export interface Parts {
  input: Record<string, unknown>;
  parameters: Record<string, unknown>;
}

/**
 * Splits the caller's fields into DashScope's `input` and `parameters`. The free-form objects of the same
 * names are merged in, but never replace a field that the gateway has checked.
 */
export function partsOf(fieldsIn: Record<string, unknown>, rules: Mapped["fields"]): Parts {
  const { input: freeInput, parameters: freeParameters, ...own } = fieldsIn;
  const { set, defaults, ...shape } = rules ?? {};
  const { width, height, ...fields } = upstreamFields(own, shape);
  const size = sizeOf({ ...fields, width, height });
  const [parameters, input] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => parameterNames.has(name) === wanted)),
  );
  return {
    input: { ...recordOf(freeInput), ...input },
    parameters: { ...defaults, ...recordOf(freeParameters), ...parameters, ...(size && { size }), ...set },
  };
}

/** The size as `W*H`, from any of the entry's size fields; null without one. */
function sizeOf({ size, width, height }: Record<string, unknown>): string | null {
  if (typeof width === "number" && typeof height === "number") return `${width}*${height}`;
  return typeof size === "string" ? size.replace("x", "*") : null;
}

/** The main text of an operation's input. */
export function promptOf({ input }: ProviderRequest): string {
  return typeof input.prompt === "string" ? input.prompt : "";
}

/** The paths of DashScope's services below a region's host. */
export const servicePaths = {
  chat: "/compatible-mode/v1/chat/completions",
  /** Speech, transcription and images that are answered at once. */
  multimodal: "/api/v1/services/aigc/multimodal-generation/generation",
  voices: "/api/v1/services/audio/tts/customization",
  imageJob: "/api/v1/services/aigc/image-generation/generation",
  videoJob: "/api/v1/services/aigc/video-generation/video-synthesis",
  task: (id: string) => `/api/v1/tasks/${encodeURIComponent(id)}`,
} as const;

/** The header that makes a service answer with a task instead of the result. */
export const asJob = { "x-dashscope-async": "enable" } as const;

/** Catalog fields that have another name in DashScope's video models; a route's `rename` is applied first. */
const inputNames = byName<string>({
  image: "img_url",
  last_image: "last_frame_url",
  video: "video_url",
});

/** Catalog fields that become `media` items, with the item's type. */
const mediaTypes: [field: string, type: string][] = [
  ["first_frame", "first_frame"],
  ["last_frame", "last_frame"],
  ["reference_images", "reference_image"],
  ["reference_videos", "reference_video"],
  ["reference_audios", "reference_audio"],
];

/** The body of a video job: its content under `input`, its settings under `parameters`. */
export async function videoRequest(
  mapped: Mapped,
  request: ProviderRequest,
): Promise<Record<string, unknown>> {
  const given = await inputWithMedia(request, mapped.media);
  const media = [
    ...itemsOf(given.media),
    ...mediaTypes.flatMap(([field, type]) => items(given[field], type)),
  ];
  const own = Object.entries(given).filter(
    ([name]) => name !== "media" && !mediaTypes.some(([field]) => field === name),
  );
  // The value -1 lets the model choose; DashScope then expects no field at all.
  const asked = own.filter(
    ([name, value]) => !(name === "duration" && value === -1) && !isAdaptive(name, value),
  );
  const { input, parameters } = partsOf(Object.fromEntries(asked), mapped.fields);
  const named = Object.entries(input).map(([name, value]) => [inputNames[name] ?? name, value]);
  return {
    model: mapped.model,
    input: { ...Object.fromEntries(named), ...(media.length > 0 && { media }) },
    parameters,
  };
}

function isAdaptive(name: string, value: unknown): boolean {
  return name === "ratio" && value === "adaptive";
}

/** The caller's own items; an item that is only a URL gets no type. */
function itemsOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => (typeof item === "string" ? [{ url: item }] : recordsOf([item])));
}

function items(value: unknown, type: string): Record<string, unknown>[] {
  const urls = Array.isArray(value) ? value : [value];
  return urls.filter((url) => typeof url === "string" && url !== "").map((url) => ({ type, url }));
}

/** Text to speech; the audio is inline, or fetched here from a URL. */
export async function speak(
  { upstream, model, path, fields }: Mapped,
  request: ProviderRequest,
  fetchOutput: OutputFetch,
): Promise<SyncResult> {
  const { input: text, ...rest } = request.input;
  const json = { model, input: { text, ...upstreamFields(rest, fields) } };
  const answer = await upstream.json(
    request,
    { path: path ?? servicePaths.multimodal, json },
    maxBytes.media,
  );
  const { data, url } = recordOf(recordOf(answer.output).audio);
  const quantity = [...String(text)].length;
  const bytes = textOf(data)
    ? Buffer.from(String(data), "base64")
    : await fetched(textOf(url), request, fetchOutput);
  return { kind: "speech", audio: wavOf(bytes), usage: { unit: "character", quantity } };
}

async function fetched(
  url: string | null,
  request: ProviderRequest,
  fetchOutput: OutputFetch,
): Promise<Buffer> {
  if (url === null) throw invalidAnswer("The provider reported success without an output.");
  return readBytes(await fetchOutput(url, request.signal, maxBytes.media), maxBytes.media, request.signal);
}

/** Transcribes with the service that also makes speech: sends a chat with one recording. */
export async function transcribe(mapped: Mapped, request: ProviderRequest): Promise<SyncResult> {
  const { upstream, model, path, fields } = mapped;
  const audio = await mediaText(request, recordingOf(request), mapped.media);
  const { audio: _, ...rest } = request.input;
  const options = upstreamFields(rest, fields);
  const json = {
    model,
    input: { messages: [{ role: "user", content: [{ audio }] }] },
    parameters: { asr_options: { enable_itn: false, ...options } },
  };
  const answer = await upstream.json(request, { path: path ?? servicePaths.multimodal, json });
  const [choice] = recordsOf(recordOf(answer.output).choices);
  const { content, annotations } = recordOf(choice?.message);
  if (!choice || !Array.isArray(content)) throw invalidAnswer("The provider's transcription has no text.");
  // For a silent recording the list is empty, and so is the text.
  const text = recordsOf(content)
    .map((part) => textOf(part.text) ?? "")
    .join("");
  const language = textOf(recordsOf(annotations)[0]?.language);
  const result = await transcription(request, text, numberOf(recordOf(answer.usage).seconds));
  return { ...result, ...(language !== null && { language }) };
}
