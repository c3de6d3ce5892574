import type { JobResult, Task } from "../jobs/spec.ts";
import type { Desk } from "./desk.ts";

/** Does one task. Each kind loads only the libraries that it needs. */
export async function perform(task: Task, desk: Desk): Promise<JobResult> {
  switch (task.kind) {
    case "draw":
      return (await import("./draw.ts")).draw(task, desk);
    case "edit":
      return (await import("./edit.ts")).edit(task, desk);
    case "swap":
      return (await import("./swap.ts")).swap(task, desk);
    case "speech":
      return (await import("./speak.ts")).speak(task, desk);
    case "transcribe":
      return (await import("./listen.ts")).transcribe(desk);
    case "measure":
      return (await import("./listen.ts")).measureVoice(task, desk);
    case "video":
      return (await import("./video.ts")).makeVideo(task, desk);
  }
}
