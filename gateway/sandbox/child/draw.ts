import type { DrawTask, JobContext, JobResult } from "../jobs/spec.ts";
import { encodePicture } from "../picture/canvas.ts";
import { drawCaption, drawPill } from "../picture/caption.ts";
import { drawScene } from "../scene/draw.ts";

const detailOf = { low: 0.45, medium: 0.9, high: 1.4 };

/** Draws each picture of the task: the scene of the prompt, then the card and the mark. */
export async function draw(task: DrawTask, job: JobContext): Promise<JobResult> {
  const outputs = [];
  for (const [index, picture] of task.pictures.entries()) {
    const canvas = drawScene(task.prompt, picture.seed, task.width, task.height, detailOf[task.quality]);
    const context = canvas.getContext("2d");
    drawPill(context, task.width, task.height);
    drawCaption(context, task.width, task.height, picture.caption);
    outputs.push(
      await encodePicture(
        canvas,
        { folder: job.folder, name: `out-${index}` },
        { format: task.format, quality: task.quality, composite: false },
      ),
    );
    await job.progress(((index + 1) / task.pictures.length) * 100);
  }
  return { outputs, data: {} };
}
