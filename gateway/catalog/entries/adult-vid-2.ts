import { adultVideo } from "../pieces/adult-video.ts";

export const adultVid2 = adultVideo({
  id: "svc/adult-vid-2",
  resolutions: ["1080P", "2K", "4K"],
  promptExtend: false,
  released_at: "2026-02-17",
  latest_release_at: "2026-05-26",
});
