import { afterEach, expect, it, vi } from "vitest";
import { finishedPrediction } from "@/lib/timeline/testing/samples";
import { saveOutputs } from "./save-outputs.ts";

afterEach(() => vi.unstubAllGlobals());

it("puts every file into the ZIP unchanged, byte for byte", async () => {
  const file = crypto.getRandomValues(new Uint8Array(60_000));
  vi.stubGlobal("fetch", async () => new Response(file));
  let saved = new Blob();
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    saved = blob as Blob;
    return "blob:saved";
  });
  const url = "https://gateway.example/v1/files/outputs/1.mp4";
  const facts = { content_type: "video/mp4", size_bytes: file.length, width: 1, height: 1, duration: 1 };
  await saveOutputs([{ ...finishedPrediction(), data: [{ url, preview_url: null, gated: null, ...facts }] }]);
  // Stored, not compressed.
  expect(Buffer.from(await saved.arrayBuffer()).includes(Buffer.from(file))).toBe(true);
});
