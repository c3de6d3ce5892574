import { byName } from "#contract/by-name.ts";
import { recordsOf } from "../http/read-body.ts";
import { inputWithMedia } from "../media/inputs.ts";
import type { Mapped } from "../protocol.ts";
import type { ProviderRequest } from "../provider.ts";
import { partsOf } from "./request-parts.ts";

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
