import type { ProviderRequest } from "#gateway/models/providers/provider.ts";
import { badInput, SandboxFailure } from "../failure.ts";
import type { AssignedMedia } from "../jobs/folder.ts";
import type { Caption, MediaRole, VideoFrame, VideoScene, VideoTask } from "../jobs/spec.ts";
import { spokenCharacters } from "../limits.ts";
import { frameOf, tierShortSide } from "../video/size.ts";
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
import { loraNotes, loraTints } from "./loras.ts";
import { assignRoles } from "./media-roles.ts";

const defaultTier = "720P";
const smartDuration = -1;
const defaultSeconds = 5;
const longestSeconds = 60;

/** The job of a video-generation request, with the role of each of its inputs. */
export function planVideo(request: ProviderRequest): { task: VideoTask; media: AssignedMedia[] } {
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
      throw new SandboxFailure("missing_parameter", `${field} is needed.`, field);
  if (scene === "edit" && !media.some(({ role }) => role === "base" || role === "first"))
    throw badInput("media needs a video, or a picture as first_frame, to edit.", "media");
}

/** Null for the length of the input clip. */
function durationOf(request: ProviderRequest, scene: VideoScene): number | null {
  const asked = numberField(request, "duration");
  if (asked === smartDuration) return null;
  return asked ?? (scene === "edit" || scene === "upscale" ? null : defaultSeconds);
}

/** Exact if tier and ratio are given; otherwise the ratio of the first visual input. */
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
  const properties = request.operation.input_schema?.properties;
  const schema: unknown =
    properties !== null && typeof properties === "object" && "resolution" in properties
      ? properties.resolution
      : null;
  return schema !== null && typeof schema === "object" && "default" in schema
    ? String(schema.default)
    : defaultTier;
}

const notPerformed: Partial<Record<VideoScene, string>> = {
  edit: "not edited by a model: colours shifted behind the line",
  animate: "nothing was animated: the picture is shown next to the video",
  replace: "nothing was replaced: the picture lies on the video",
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
