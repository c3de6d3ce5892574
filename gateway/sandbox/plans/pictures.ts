import type { ProviderRequest } from "#gateway/models/providers/provider.ts";
import { badInput, SandboxFailure } from "../failure.ts";
import type { AssignedMedia } from "../jobs/run-child.ts";
import type { Caption, DrawTask, EditTask, SwapTask } from "../jobs/spec.ts";
import {
  extensionOf,
  field,
  freeKeys,
  modelLabel,
  numberField,
  promptExcerpt,
  seedField,
  textField,
} from "./fields.ts";

const longestSide = 3840;

const maxPixels = 3840 * 2160;

const shortestSide = 64;

const defaultSide = 1024;

export const maxPictures = 4;

/** The pictures of an image-generation request. */
export function planPictures(request: ProviderRequest): DrawTask {
  const seed = seedField(request);
  const size = sizeOf(request);
  const count = Math.min(maxPictures, Math.max(1, numberField(request, "n") ?? 1));
  const extension = extensionOf(request, seed);
  const quality = qualityOf(textField(request, "quality"));
  const format = textField(request, "output_format") === "jpeg" ? "jpeg" : "png";
  const negative = textField(request, "negative_prompt");
  const pictures = Array.from({ length: count }, (_, index) => {
    const own = (seed + index) % 2147483648;
    const notes = [
      `${size.width} × ${size.height} · seed ${own}${count > 1 ? ` · ${index + 1}/${count}` : ""} · ${request.region}`,
      ...(textField(request, "quality") ? [`quality ${quality} · ${format}`] : []),
      ...(extension ? [`prompt extended with: ${extension}`] : []),
      ...freeKeys(request),
    ];
    const caption: Caption = { title: modelLabel(request), text: promptExcerpt(request), notes };
    return { seed: own, caption: negative ? { ...caption, struck: negative } : caption };
  });
  return {
    kind: "draw",
    pictures,
    prompt: [textField(request, "prompt"), extension].filter(Boolean).join(", "),
    width: size.width,
    height: size.height,
    format,
    quality,
  };
}

interface Size {
  width: number;
  height: number;
}

/** The requested size of an edit; null: the size of the input picture. */
export function askedSize(request: ProviderRequest): Size | null {
  const size = field(request, "size");
  if (typeof size !== "string" || size === "" || size === "auto") return null;
  return sizeOf(request);
}

/** `size` as `WxH` or `W*H`, or `width` and `height`; 1024 x 1024 by default. */
function sizeOf(request: ProviderRequest): Size {
  const size = field(request, "size");
  const parsed = typeof size === "string" ? /^\s*(\d{1,6})\s*[x*×]\s*(\d{1,6})\s*$/i.exec(size) : null;
  if (parsed) return drawable(Number(parsed[1]), Number(parsed[2]));
  if (typeof size === "string" && size !== "auto" && size !== "")
    throw badInput(`size must be like 1024x1024 or 1024*1024, not "${size.slice(0, 40)}".`, "size");
  return drawable(
    numberField(request, "width") ?? defaultSide,
    numberField(request, "height") ?? defaultSide,
  );
}

/** Throws `invalid_parameter` for a size that cannot be drawn. */
function drawable(width: number, height: number): Size {
  const sides = [width, height];
  if (sides.some((side) => side < shortestSide || side > longestSide) || width * height > maxPixels)
    throw badInput(
      `size must have sides of ${shortestSide} to ${longestSide} pixels and at most ${maxPixels} pixels in all, not ${width}x${height}.`,
      "size",
    );
  return { width: Math.floor(width), height: Math.floor(height) };
}

function qualityOf(text: string): DrawTask["quality"] {
  return text === "low" || text === "medium" || text === "high" ? text : "medium";
}

/** The edited pictures of an image-editing request; the first image is the base. */
export function planEdit(request: ProviderRequest): { task: EditTask; media: AssignedMedia[] } {
  const media = pictures(request);
  const seed = seedField(request);
  const size = askedSize(request);
  const count = Math.min(maxPictures, Math.max(1, numberField(request, "n") ?? 1));
  const others = media.length - 1;
  const task: EditTask = {
    kind: "edit",
    seed,
    prompt: textField(request, "prompt"),
    size,
    pictures: Array.from({ length: count }, (_, index) => ({
      title: modelLabel(request),
      text: promptExcerpt(request),
      notes: [
        [
          "left of the line: your picture, right: recoloured",
          `seed ${seed + index}`,
          count > 1 ? `${index + 1}/${count}` : "",
          others > 0 ? `${others} more as prints` : "",
          request.region,
          ...freeKeys(request),
        ]
          .filter(Boolean)
          .join(" · "),
      ],
    })),
  };
  return { task, media };
}

/** Shows target and source of a swap; nothing is swapped. */
export function planSwap(request: ProviderRequest): { task: SwapTask; media: AssignedMedia[] } {
  const media = pictures(request);
  if (media.length !== 2)
    throw new SandboxFailure(
      "invalid_parameter",
      "image must hold exactly two pictures: target, then source.",
      "image",
    );
  const part = request.engine === "swap-head" ? "head" : "face";
  const seed = seedField(request);
  const task: SwapTask = {
    kind: "swap",
    part,
    seed,
    caption: {
      title: modelLabel(request),
      text: `${part === "face" ? "Face" : "Head"} swap was not performed.`,
      notes: [`The two inputs are only shown side by side · seed ${seed} · ${request.region}`],
    },
  };
  return { task, media };
}

function pictures(request: ProviderRequest): AssignedMedia[] {
  const media = request.media.filter(({ kind }) => kind === "image");
  if (media.length === 0) throw new SandboxFailure("missing_parameter", "image is required.", "image");
  return media.map((item, index) => ({ media: item, role: index === 0 ? "base" : "card" }));
}
