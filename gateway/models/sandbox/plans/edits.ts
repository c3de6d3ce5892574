import type { ProviderRequest } from "#gateway/models/providers/provider.ts";
import { SandboxFailure } from "../failure.ts";
import type { AssignedMedia } from "../jobs/folder.ts";
import type { EditTask, SwapTask } from "../jobs/spec.ts";
import { freeKeys, modelLabel, numberField, promptExcerpt, seedField, textField } from "./fields.ts";
import { askedSize } from "./pictures.ts";

const maxPictures = 4;

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
