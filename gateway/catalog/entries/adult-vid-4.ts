import { adultVideo } from "../pieces/adult-video.ts";

export const adultVid4 = adultVideo({
  id: "svc/adult-vid-4",
  resolutions: ["1080P", "2K", "4K"],
  promptExtend: true,
  released_at: "2026-07-28",
  latest_release_at: "2026-10-27",
});
