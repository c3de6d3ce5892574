import { adultVideo } from "../pieces/adult-video.ts";

export const adultVid3 = adultVideo({
  id: "svc/adult-vid-3",
  resolutions: ["480P", "720P", "1080P"],
  promptExtend: true,
  released_at: "2026-07-28",
  latest_release_at: "2026-10-27",
});
