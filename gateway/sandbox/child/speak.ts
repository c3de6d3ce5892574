import { writeFile } from "node:fs/promises";
import type { JobContext, JobResult, SpeechTask } from "../jobs/spec.ts";
import { markText } from "../mark.ts";
import { synthesize } from "../speech/synthesis.ts";
import { chime, join, writeWave } from "../speech/wave.ts";

const gapSeconds = 0.18;
/** The prefix of the text in the file's comment; transcription looks for it. */
export const textTag = "Text: ";

/** Speaks the text into `out-0.wav`, ending in the chime, with the mark and the text in the file's comment. */
export async function speak(task: SpeechTask, job: JobContext): Promise<JobResult> {
  const { wave, means } = await synthesize(task.text, task.voice);
  const most = task.maxSeconds ? Math.round(task.maxSeconds * wave.rate) : wave.samples.length;
  const samples = join([wave.samples.subarray(0, most), chime(wave.rate)], wave.rate, gapSeconds);
  const how =
    means === "tones" ? "the text could not be spoken: one tone per character" : `spoken by ${means}`;
  await writeFile(
    `${job.folder}/out-0.wav`,
    writeWave(
      samples,
      wave.rate,
      `${markText}. Made by the Gatehouse sandbox, ${how}. ${textTag}${task.text}`,
    ),
  );
  return {
    outputs: [{ name: "out-0.wav", contentType: "audio/wav", duration: samples.length / wave.rate }],
    data: { means },
  };
}
