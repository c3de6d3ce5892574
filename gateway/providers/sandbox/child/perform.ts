import type { JobResult, Task } from "../jobs/spec.ts";
import type { Desk } from "./desk.ts";
import { draw } from "./draw.ts";
import { speak } from "./speak.ts";
import { makeVideo } from "./video.ts";

/** Does one task. Each kind loads only what it needs of the heavy libraries through its own module. */
export async function perform(task: Task, desk: Desk): Promise<JobResult> {
  switch (task.kind) {
    case "draw":
      return draw(task, desk);
    case "speech":
      return speak(task, desk);
    case "video":
      return makeVideo(task, desk);
    default:
      throw new Error(`No task "${task.kind}"`);
  }
}
