import { adultVideo } from "../pieces/adult-video.ts";

export const adultVid1 = adultVideo({
  id: "svc/adult-vid-1",
  resolutions: ["480P", "720P", "1080P"],
  promptExtend: false,
  released_at: "2026-02-17",
  latest_release_at: "2026-05-26",
});
