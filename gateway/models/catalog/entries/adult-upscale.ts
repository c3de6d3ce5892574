import { landscapeVideo } from "../example-media.ts";
import { adultEntry } from "../pieces/adult-entry.ts";
import { duration, inputSchema, mediaField, regionField, resolution, virginia } from "../pieces/pieces.ts";

const id = "svc/adult-upscale";

export const adultUpscale = adultEntry({
  id,
  modality: "video",
  released_at: "2026-06-23",
  latest_release_at: "2026-10-06",
  api_type: "video-generation",
  engine: "upscale",
  input_schema: inputSchema(id, ["video", "duration", "resolution"], {
    video: mediaField("video", "Video", "The video to enlarge, up to 500 MiB."),
    duration: duration(1, 60),
    resolution: resolution(["720P", "1080P", "2K", "4K"]),
    region: regionField(virginia),
  }),
  limits: { maxInputBytes: 524_288_000, maxDurationSeconds: 60 },
  example: { model: id, video: landscapeVideo, duration: 2, resolution: "720P" },
});
