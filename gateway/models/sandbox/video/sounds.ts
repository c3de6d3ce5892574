import type { JobContext } from "../child/job-context.ts";
import type { VideoTask } from "../jobs/spec.ts";
import type { Probed } from "./media.ts";
import type { Sound } from "./movie.ts";
import type { Frame } from "./size.ts";
import { writeSoundtrack } from "./soundtrack.ts";

/** If given, the only sound of the video. */
const soundtrackField = "/audio_url";
const bedVolume = 0.7;

/**
 * The sounds of a video: that of the edited clip, else the given soundtrack, else the sandbox's own with the rest mixed
 * in.
 */
export async function soundsOf(
  job: JobContext,
  task: VideoTask,
  frame: Frame,
  media: Probed[],
): Promise<Sound[]> {
  if (!task.audio) return [];
  const base = media.find((item) => item.media.role === "base");
  if (base) return base.hasAudio ? [{ kind: "input", source: base, volume: 1 }] : [];
  const given = media.filter((item) => item.media.role === "sound");
  const soundtrack = given.find((item) => item.media.path === soundtrackField);
  if (soundtrack) return [{ kind: "input", source: soundtrack, volume: 1 }];
  const name = "track.wav";
  await writeSoundtrack(job, { name, seconds: frame.seconds, seed: task.seed, speak: task.speak });
  const volume = 1 / Math.sqrt(Math.max(1, given.length));
  return [
    { kind: "made", name, volume: given.length > 0 ? bedVolume : 1 },
    ...given.map((source): Sound => ({ kind: "input", source, volume })),
  ];
}
