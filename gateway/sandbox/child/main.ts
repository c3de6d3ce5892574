import { readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { takeLowPriority } from "#gateway/platform/core/low-priority.ts";
import { SandboxFailure } from "../failure.ts";
import type { ChildMessage, JobContext, JobResult, JobSpec, Task } from "../jobs/spec.ts";

/** The media process: reads `job.json` in the folder of its argument, runs the job and writes `result.json` there. */
async function main(folder: string): Promise<void> {
  takeLowPriority();
  // The gateway has exited: nothing waits for this job, and it runs again after a restart.
  process.on("disconnect", () => process.exit(1));
  const spec: JobSpec = JSON.parse(await readFile(path.join(folder, "job.json"), "utf8"));
  const result = await perform(spec.task, {
    folder,
    media: spec.media,
    ffmpeg: spec.ffmpeg,
    progress: (percent) => say({ type: "progress", percent: Math.round(percent) }),
  });
  await writeFile(path.join(folder, "result.part"), JSON.stringify(result));
  await rename(path.join(folder, "result.part"), path.join(folder, "result.json"));
  await say({ type: "done" });
}

function say(message: ChildMessage): Promise<void> {
  return new Promise((heard) => {
    if (process.send) process.send(message, () => setImmediate(heard));
    else setImmediate(heard);
  });
}

try {
  await main(process.argv[2] ?? ".");
  process.exit(0);
} catch (error) {
  if (!(error instanceof SandboxFailure)) console.error(error);
  const known = error instanceof SandboxFailure ? error : null;
  await say({
    type: "failed",
    code: known?.code ?? "upstream_error",
    message: known?.message ?? "The sandbox could not make this output. Try again.",
    param: known?.param ?? null,
  });
  process.exit(2);
}

/** Runs one task. Each kind loads only the libraries that it needs. */
async function perform(task: Task, job: JobContext): Promise<JobResult> {
  switch (task.kind) {
    case "draw":
      return (await import("./draw.ts")).draw(task, job);
    case "edit":
      return (await import("./edits.ts")).edit(task, job);
    case "swap":
      return (await import("./edits.ts")).swap(task, job);
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
