import { byName } from "#contract/by-name.ts";
import type { ProviderRequest, ResolvedMedia } from "#gateway/models/providers/provider.ts";
import type { AssignedMedia } from "../jobs/folder.ts";
import type { MediaRole, VideoScene } from "../jobs/spec.ts";

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
export function assignRoles(request: ProviderRequest, scene: VideoScene): AssignedMedia[] {
  const assigned = request.media.map((media) => ({ media, role: roleOf(request.input, media) }));
  if (scene !== "edit") return assigned;
  // An edit uses its first video, or its first picture when it has none.
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
  const item: unknown = items[Number(index)];
  const type = item !== null && typeof item === "object" && "type" in item ? String(item.type) : "";
  const role = rolesByType[type];
  // The type is only the caller's claim: a picture called reference_video is still a picture.
  const fits = role === "inset" ? media.kind === "video" : media.kind === "image";
  return role && fits ? role : rolesByKind[media.kind];
}
