import { duskImage, landscapeVideo } from "../example-media.ts";
import { adultEntry } from "../pieces/adult-entry.ts";
import {
  durationChoice,
  inputSchema,
  mediaField,
  prompt,
  regionField,
  resolution,
  seed,
  virginia,
} from "../pieces/pieces.ts";

const id = "svc/adult-animate";
const modes = ["animate", "replace"];
const durations = [5, 8];

export const adultAnimate = adultEntry({
  id,
  modality: "video",
  released_at: "2026-05-19",
  latest_release_at: "2026-09-08",
  api_type: "video-generation",
  engine: "animate",
  input_schema: inputSchema(id, ["image", "video", "mode", "duration", "resolution"], {
    image: mediaField("image", "Image", "The picture to animate or to put in."),
    video: mediaField("video", "Video", "The video that leads the movement."),
    mode: {
      type: "string",
      enum: modes,
      title: "Mode",
      description: "Animate the image, or replace the subject of the video.",
    },
    prompt: prompt(5000, 0),
    duration: durationChoice(durations),
    resolution: resolution(["480P", "720P"]),
    seed,
    region: regionField(virginia),
  }),
  limits: { modes, durations, maxDurationSeconds: 8, maxPromptCharacters: 5000 },
  example: {
    model: id,
    image: duskImage,
    video: landscapeVideo,
    mode: "animate",
    duration: 5,
    resolution: "480P",
  },
});
