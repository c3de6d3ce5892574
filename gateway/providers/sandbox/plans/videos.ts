import type { ProviderRequest } from "../../provider.ts";
import type { AssignedMedia } from "../jobs/folder.ts";
import type { Caption, VideoFrame, VideoTask } from "../jobs/spec.ts";
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
import { assignRoles } from "./media-roles.ts";

const defaultTier = "720P";
const smartDuration = -1;
const defaultSeconds = 5;
const longestSeconds = 60;

/** The video of a video-generation request, with what each of its inputs is for. */
export function planVideo(request: ProviderRequest): { task: VideoTask; media: AssignedMedia[] } {
  const media = assignRoles(request);
  const seed = seedField(request);
  const extension = extensionOf(request, seed);
  const prompt = textField(request, "prompt");
  const duration = numberField(request, "duration") ?? defaultSeconds;
  const task: VideoTask = {
    kind: "video",
    scene: "compose",
    prompt: [prompt, extension].filter(Boolean).join(", "),
    speak: isGated(request) || !prompt ? null : [...prompt].slice(0, spokenCharacters).join(""),
    seed,
    caption: captionOf(request, seed, extension),
    frame: frameField(request, media),
    duration: duration === smartDuration ? null : duration,
    maxSeconds: longestSeconds,
    audio: flagField(request, "audio") ?? true,
    tints: [],
  };
  return { task, media };
}

/** Exact where tier and ratio say it all; the ratio of the first visual input where they leave it open. */
function frameField(request: ProviderRequest, media: AssignedMedia[]): VideoFrame {
  const shortSide = tierShortSide[textField(request, "resolution") || defaultTier] ?? 720;
  const ratio = textField(request, "ratio");
  const sides = /^(\d+):(\d+)$/.exec(ratio);
  if (sides) return { kind: "exact", ...frameOf(shortSide, Number(sides[1]) / Number(sides[2])) };
  const visual = media.some(({ role }) => role === "first" || role === "base");
  return visual || ratio === "adaptive"
    ? { kind: "adaptive", shortSide }
    : { kind: "exact", ...frameOf(shortSide, 16 / 9) };
}

function captionOf(request: ProviderRequest, seed: number, extension: string): Caption {
  const negative = textField(request, "negative_prompt");
  const mode = textField(request, "mode");
  return {
    title: modelLabel(request),
    text: promptExcerpt(request),
    ...(negative ? { struck: negative } : {}),
    notes: [
      [
        textField(request, "resolution") || defaultTier,
        textField(request, "ratio"),
        mode,
        `seed ${seed}`,
        request.region,
      ]
        .filter(Boolean)
        .join(" · "),
      ...(extension ? [`prompt extended with: ${extension}`] : []),
      ...freeKeys(request),
    ],
  };
}
