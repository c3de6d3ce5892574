import { type Static, Type } from "typebox";
import { closed, ListOf } from "./list.ts";
import { pageLimit } from "./list-constants.ts";
import { Nullable } from "./nullable.ts";

/** A prediction in the shape of OpenAI's video resource. Times are unix seconds. */
export const Video = Type.Object({
  id: Type.String(),
  object: Type.Literal("video"),
  model: Type.String(),
  status: Type.Enum(["queued", "in_progress", "completed", "failed"]),
  progress: Type.Integer({ minimum: 0, maximum: 100 }),
  created_at: Type.Integer(),
  completed_at: Nullable(Type.Integer()),
  expires_at: Nullable(Type.Integer()),
  prompt: Nullable(Type.String()),
  seconds: Nullable(Type.String()),
  size: Nullable(Type.Unknown()),
  remixed_from_video_id: Type.Null(),
  error: Nullable(
    Type.Object({ code: Type.String(), message: Type.String(), type: Type.Optional(Type.String()) }),
  ),
});
export type Video = Static<typeof Video>;

export const VideoQuery = Type.Object(
  {
    after: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: pageLimit.min, maximum: pageLimit.max })),
    order: Type.Optional(Type.Enum(["desc"], { description: "only newest first is supported" })),
  },
  closed,
);
export type VideoQuery = Static<typeof VideoQuery>;

export const VideoContentQuery = Type.Object(
  {
    variant: Type.Optional(
      Type.Enum(["video", "thumbnail"] as const, {
        description: "`thumbnail`: a small picture of the video",
      }),
    ),
  },
  closed,
);

export const VideoList = ListOf(Video);

export const VideoDeleted = Type.Object({
  id: Type.String(),
  object: Type.Literal("video.deleted"),
  deleted: Type.Literal(true),
});
