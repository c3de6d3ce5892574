import { createHash } from "node:crypto";
import { byName } from "#contract/by-name.ts";
import { recordOf } from "#gateway/models/providers/http/read-body.ts";
import type { ProviderRequest, ResolvedMedia } from "#gateway/models/providers/provider.ts";
import { badInput, SandboxFailure } from "../failure.ts";
import type { AssignedMedia } from "../jobs/run-child.ts";
import {
  type Caption,
  frameOf,
  type MediaRole,
  type Task,
  tierShortSide,
  type VideoFrame,
  type VideoScene,
  type VideoTask,
} from "../jobs/spec.ts";
import { spokenCharacters } from "../limits.ts";
import {
  extensionOf,
  flagField,
  freeKeys,
  isGated,
  modelLabel,
  numberField,
  promptExcerpt,
  seedField,
  textField,
} from "./fields.ts";
import { planEdit, planPictures, planSwap } from "./pictures.ts";

/** The job of an async operation. Throws SandboxFailure for an invalid input. */
export function planAsync(request: ProviderRequest): { task: Task; media: AssignedMedia[] } {
  switch (request.engine) {
    case "pictures":
      return { task: planPictures(request), media: [] };
    case "edit":
      return planEdit(request);
    case "swap-face":
    case "swap-head":
      return planSwap(request);
    case "video":
    case "video-edit":
    case "animate":
    case "upscale":
      return planVideo(request);
    default:
      throw new SandboxFailure(
        "operation_not_supported",
        `The sandbox does not run ${request.operation.id} as a job.`,
      );
  }
}

const defaultTier = "720P";
const smartDuration = -1;
const defaultSeconds = 5;
const longestSeconds = 60;

/** The job of a video-generation request, with the role of each of its inputs. */
function planVideo(request: ProviderRequest): { task: VideoTask; media: AssignedMedia[] } {
  const scene = sceneOf(request);
  const media = assignRoles(request, scene);
  const seed = seedField(request);
  const extension = extensionOf(request, seed);
  const prompt = textField(request, "prompt");
  checkMedia(scene, media);
  const task: VideoTask = {
    kind: "video",
    scene,
    prompt: [prompt, extension].filter(Boolean).join(", "),
    speak: isGated(request) || !prompt ? null : [...prompt].slice(0, spokenCharacters).join(""),
    seed,
    caption: captionOf(request, scene, seed, extension),
    frame: frameField(request, scene, media),
    duration: durationOf(request, scene),
    maxSeconds: longestSeconds,
    audio: flagField(request, "audio") ?? true,
    tints: loraTints(request),
  };
  return { task, media };
}

function sceneOf(request: ProviderRequest): VideoScene {
  switch (request.engine) {
    case "video-edit":
      return "edit";
    case "upscale":
      return "upscale";
    case "animate":
      return textField(request, "mode") === "replace" ? "replace" : "animate";
    default:
      return "compose";
  }
}

const neededRoles: Record<VideoScene, { role: MediaRole; field: string }[]> = {
  compose: [],
  edit: [],
  upscale: [{ role: "base", field: "video" }],
  animate: [
    { role: "first", field: "image" },
    { role: "base", field: "video" },
  ],
  replace: [
    { role: "first", field: "image" },
    { role: "base", field: "video" },
  ],
};

function checkMedia(scene: VideoScene, media: AssignedMedia[]): void {
  for (const { role, field } of neededRoles[scene])
    if (!media.some((item) => item.role === role))
      throw new SandboxFailure("missing_parameter", `${field} is required.`, field);
  if (scene === "edit" && !media.some(({ role }) => role === "base" || role === "first"))
    throw badInput("media needs a video, or a picture as first_frame, to edit.", "media");
}

/** The requested seconds; null: the length of the input clip. */
function durationOf(request: ProviderRequest, scene: VideoScene): number | null {
  const asked = numberField(request, "duration");
  if (asked === smartDuration) return null;
  return asked ?? (scene === "edit" || scene === "upscale" ? null : defaultSeconds);
}

/**
 * The size of the frame. Exact if tier and ratio are given; otherwise it gets the ratio of the first visual
 * input.
 */
function frameField(request: ProviderRequest, scene: VideoScene, media: AssignedMedia[]): VideoFrame {
  const shortSide = tierShortSide[textField(request, "resolution") || tierOf(request)] ?? 720;
  const ratio = textField(request, "ratio");
  const sides = /^(\d+):(\d+)$/.exec(ratio);
  if (sides && Number(sides[1]) > 0 && Number(sides[2]) > 0)
    return { kind: "exact", ...frameOf(shortSide, Number(sides[1]) / Number(sides[2])) };
  const fills = scene !== "animate" && media.some(({ role }) => role === "first" || role === "base");
  return fills || ratio === "adaptive"
    ? { kind: "adaptive", shortSide }
    : { kind: "exact", ...frameOf(shortSide, 16 / 9) };
}

/** The default tier of the entry's schema. */
function tierOf(request: ProviderRequest): string {
  const { resolution } = recordOf(request.operation.input_schema.properties);
  return String(recordOf(resolution).default ?? defaultTier);
}

const notPerformed: Partial<Record<VideoScene, string>> = {
  edit: "not edited by a model: colours shifted behind the line",
  animate: "nothing was animated: the picture is shown next to the video",
  replace: "nothing was replaced: the picture is drawn over the video",
};

function captionOf(request: ProviderRequest, scene: VideoScene, seed: number, extension: string): Caption {
  const negative = textField(request, "negative_prompt");
  const settings = [
    textField(request, "resolution") || tierOf(request),
    textField(request, "ratio"),
    textField(request, "mode"),
    scene === "upscale" ? "" : `seed ${seed}`,
    request.region,
  ];
  const said = notPerformed[scene];
  return {
    title: modelLabel(request),
    text: promptExcerpt(request),
    ...(negative ? { struck: negative } : {}),
    notes: [
      settings.filter(Boolean).join(" · "),
      ...(said ? [said] : []),
      ...(extension ? [`prompt extended with: ${extension}`] : []),
      ...loraNotes(request),
      ...freeKeys(request),
    ],
  };
}

const rolesByField = byName<MediaRole>({
  first_frame: "first",
  last_frame: "last",
  last_image: "last",
  image: "first",
  video: "base",
  reference_images: "card",
  reference_videos: "inset",
  reference_audios: "sound",
  audio_url: "sound",
});
const rolesByType = byName<MediaRole>({
  first_frame: "first",
  last_frame: "last",
  reference_image: "card",
  reference_video: "inset",
});
const rolesByKind: Record<ResolvedMedia["kind"], MediaRole> = {
  image: "card",
  video: "inset",
  audio: "sound",
};

/** The role of each media input of a video request, from its field and its `type`. */
function assignRoles(request: ProviderRequest, scene: VideoScene): AssignedMedia[] {
  const assigned = request.media.map((media) => ({ media, role: roleOf(request.input, media) }));
  if (scene !== "edit") return assigned;
  // An edit uses its first video, or its first picture if it has no video.
  const base =
    assigned.find(({ media }) => media.kind === "video") ??
    assigned.find(({ media }) => media.kind === "image");
  return assigned.map((item) =>
    item === base ? { ...item, role: item.media.kind === "video" ? "base" : "first" } : item,
  );
}

function roleOf(input: Record<string, unknown>, media: ResolvedMedia): MediaRole {
  const [field = "", index = "", leaf = ""] = media.path.split("/").filter(Boolean);
  if (media.kind === "audio" || leaf === "reference_voice") return "sound";
  if (field !== "media") return rolesByField[field] ?? rolesByKind[media.kind];
  const items = Array.isArray(input.media) ? input.media : [];
  const role = rolesByType[String(recordOf(items[Number(index)]).type)];
  // The type is only the caller's claim: a picture called reference_video is still a picture.
  const fits = role === "inset" ? media.kind === "video" : media.kind === "image";
  return role && fits ? role : rolesByKind[media.kind];
}

const fields = ["loras", "low_noise_loras", "high_noise_loras"] as const;
const strongestScale = 4;

interface Lora {
  field: string;
  url: string;
  scale: number;
}

/**
 * The LoRAs of a request. Their URLs are never fetched: each becomes a tint with the strength of its scale.
 */
function lorasOf(request: ProviderRequest): Lora[] {
  return fields.flatMap((field) => {
    const list = request.input[field];
    if (!Array.isArray(list)) return [];
    return list.flatMap((item: unknown): Lora[] => {
      if (item === null || typeof item !== "object" || !("url" in item) || !("scale" in item)) return [];
      return [{ field, url: String(item.url), scale: Number(item.scale) || 0 }];
    });
  });
}

function loraTints(request: ProviderRequest): { hue: number; strength: number }[] {
  return lorasOf(request).map(({ field, url, scale }) => ({
    hue: createHash("sha256").update(`${field} ${url}`).digest().readUInt16BE(0) % 360,
    strength: Math.sqrt(Math.min(1, scale / strongestScale)),
  }));
}

/** One line per LoRA field, with the host and scale of each LoRA. */
function loraNotes(request: ProviderRequest): string[] {
  return fields.flatMap((field) => {
    const own = lorasOf(request).filter((lora) => lora.field === field);
    const items = own.map(({ url, scale }) => `${hostOf(url)} × ${scale}`);
    return items.length > 0 ? [`${field} (not loaded): ${items.join(", ")}`] : [];
  });
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "LoRA";
}
