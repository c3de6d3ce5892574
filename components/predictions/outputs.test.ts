import { describe, expect, it } from "vitest";
import type { ShownFile } from "@/components/media/media-preview";
import { finishedPrediction } from "@/lib/timeline/testing/samples";
import { outputFileName, outputFiles, totalBytes } from "./outputs.ts";
import { manifestOf } from "./save-outputs.ts";

const png: ShownFile = {
  url: "http://g/v1/files/a?sig=secret",
  preview_url: "http://g/v1/previews/a?sig=secret",
  content_type: "image/png",
  size_bytes: 10,
  width: 1,
  height: 2,
  duration: null,
};

const shown = { ...png, gated: null };

describe("the outputs of a prediction", () => {
  it("are those in its data, or are guessed from its URLs", () => {
    expect(outputFiles(finishedPrediction({ data: [shown] }))).toEqual([png]);
    const hidden = { ...shown, url: null, preview_url: null, gated: "adult" as const };
    expect(outputFiles(finishedPrediction({ data: [hidden], gated: "adult" }))).toEqual([]);
    const bare = finishedPrediction({ output: "https://g/f?sig=1" });
    expect(outputFiles(bare).map((file) => file.content_type)).toEqual(["video/mp4"]);
    const two = finishedPrediction({
      api_type: "image-generation",
      output: ["https://g/a.webp", "https://g/b"],
    });
    expect(outputFiles(two).map((file) => file.content_type)).toEqual(["image/webp", "image/png"]);
    expect(outputFiles(finishedPrediction())).toEqual([]);
  });

  it("get names that distinguish files of different predictions", () => {
    expect(outputFileName("pred_1", png, 0, 1)).toBe("pred_1.png");
    expect(outputFileName("pred_1", { ...png, content_type: "audio/mpeg" }, 1, 3)).toBe("pred_1-2.mp3");
  });

  it("have a total size", () => {
    expect(totalBytes([png, png])).toBe(20);
  });

  it("are described in the manifest without their links", () => {
    const manifest = manifestOf(finishedPrediction({ data: [shown] }), [png]);
    expect(JSON.stringify(manifest)).not.toContain("secret");
    expect(manifest.files).toEqual([
      {
        name: `${manifest.prediction.id}.png`,
        content_type: "image/png",
        size_bytes: 10,
        width: 1,
        height: 2,
        duration: null,
      },
    ]);
    expect(manifest.input).toEqual({ prompt: "a lighthouse" });
  });
});
