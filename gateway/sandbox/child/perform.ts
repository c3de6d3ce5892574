import type { JobResult, Task } from "../jobs/spec.ts";
import type { JobContext } from "./job-context.ts";

/** Runs one task. Each kind loads only the libraries that it needs. */
export async function perform(task: Task, job: JobContext): Promise<JobResult> {
  switch (task.kind) {
    case "draw":
      return (await import("./draw.ts")).draw(task, job);
    case "edit":
      return (await import("./edit.ts")).edit(task, job);
    case "swap":
      return (await import("./swap.ts")).swap(task, job);
    case "speech":
      return (await import("./speak.ts")).speak(task, job);
    case "transcribe":
      return (await import("./listen.ts")).transcribe(job);
    case "measure":
      return (await import("./listen.ts")).measureVoice(task, job);
    case "video":
      return (await import("./video.ts")).makeVideo(task, job);
  }
}
