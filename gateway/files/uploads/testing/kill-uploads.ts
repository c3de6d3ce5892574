import { createHash } from "node:crypto";
import { expect, vi } from "vitest";
import type { Upload } from "#contract/upload.ts";
import { startS3Server } from "#gateway/files/storage/testing/s3-server.ts";
import { endProgram } from "#gateway/testing/program.ts";
import { programScene } from "#gateway/testing/program-scene.ts";
import { seededRandom } from "#gateway/testing/random.ts";
import { movie, sendByTus } from "./resume.ts";

/**
 * Kills the real program this many times, at random moments, while the unmodified tus client sends a file;
 * expects the complete file and nothing else in the store.
 */
export async function killWhileSending(kind: "disk" | "s3", sizeBytes: number, kills: number): Promise<void> {
  const random = seededRandom(`${kills} kills of an upload with ${kind}`);
  const s3 = await startS3Server();
  const scene = await programScene({
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    ...(kind === "s3" && { S3_BUCKET: "bucket", S3_ENDPOINT: s3.endpoint, S3_REGION: "us-east-1" }),
  });
  try {
    let program = await scene.start();
    const { session } = await scene.signIn();
    const bytes = movie(sizeBytes);
    const announced = { content_type: "video/mp4", size_bytes: sizeBytes, filename: "clip.mp4" };
    const { body } = await scene.call(session, "POST", "/uploads", announced);
    const upload = body as unknown as Upload;
    // Not near the end, because everything may have been received before the kill.
    const killAt = Array.from({ length: kills }, () => random() * 0.8 * sizeBytes).sort(
      (one, other) => one - other,
    );
    let restarting = Promise.resolve();
    await sendByTus(upload, bytes, {
      onProgress: (sent) => {
        if (sent < (killAt[0] ?? Number.POSITIVE_INFINITY)) return;
        killAt.shift();
        restarting = restarting.then(async () => {
          await endProgram(program, "SIGKILL");
          program = await scene.start();
        });
      },
      retryDelays: Array.from({ length: 600 }, () => 250),
    });
    await restarting;
    expect(killAt).toEqual([]);
    const verified = await scene.call(session, "POST", `/uploads/${upload.id}/verify`, {});
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(verified.body).toMatchObject({ status: "verified", sha256 });
    if (kind === "s3") {
      const object = () => [...s3.objects.keys()].filter((key) => key.includes(upload.id));
      // The sweep removes the tails of killed processes. (expect.poll does not work in concurrent tests.)
      await vi.waitFor(() => expect(object()).toHaveLength(1), { timeout: 90_000, interval: 200 });
      expect(s3.unfinished.size).toBe(0);
    }
  } finally {
    await scene.close();
    await s3.close();
  }
}
