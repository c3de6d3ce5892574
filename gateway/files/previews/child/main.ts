import path from "node:path";
import { takeLowPriority } from "#gateway/platform/core/low-priority.ts";
import { fileName, type PreviewAnswer, type PreviewJob, previewName } from "../job.ts";

/**
 * The process that draws previews, one at a time; it can be killed at any moment. The code for each kind of
 * file is loaded when it is first needed.
 */
async function draw(job: PreviewJob): Promise<void> {
  const [family] = job.contentType.split("/", 1);
  if (family === "audio") return (await import("./sound.ts")).drawSound(job);
  if (job.contentType === "image/bmp") return (await import("./frame.ts")).drawBitmap(job);
  if (family === "image") {
    const { drawPicture } = await import("./picture.ts");
    return drawPicture(path.join(job.folder, fileName), path.join(job.folder, previewName));
  }
  const { drawPoster } = await import("./frame.ts");
  if (!(await drawPoster(job))) return (await import("./sound.ts")).drawSound(job);
}

takeLowPriority();
// The gateway has exited, so nobody waits for the preview.
process.on("disconnect", () => process.exit(1));
process.on("message", async (job: PreviewJob) => {
  const failure = await draw(job).then(
    () => null,
    (error: unknown) => String(error),
  );
  const { user, system } = process.cpuUsage();
  process.send?.({ failure, cpuMs: (user + system) / 1000 } satisfies PreviewAnswer);
});
