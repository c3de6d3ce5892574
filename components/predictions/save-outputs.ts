import type { Prediction } from "#contract/prediction.ts";
import type { ShownFile } from "@/components/media/media-preview";
import { saveBlob } from "@/lib/browser/save-file";
import { outputFileName, outputFiles } from "./outputs.ts";

interface SaveOptions {
  onProgress?: (savedBytes: number) => void;
  signal?: AbortSignal;
}

/**
 * One zip file with all files of the predictions and a `manifest.json` about their origin, offered as a
 * download. Throws if a file cannot be fetched, because an incomplete archive would look complete.
 */
export async function saveOutputs(
  predictions: readonly Prediction[],
  options: SaveOptions = {},
): Promise<void> {
  const [first] = predictions;
  if (!first) return;
  const { downloadZip } = await import("client-zip");
  const blob = await downloadZip(entries(predictions, options)).blob();
  saveBlob(predictions.length === 1 ? `${first.id}.zip` : `${predictions.length}-predictions.zip`, blob);
}

async function* entries(predictions: readonly Prediction[], options: SaveOptions) {
  const saved = { bytes: 0 };
  const manifests = predictions.map((prediction) => manifestOf(prediction, outputFiles(prediction)));
  const manifest = manifests.length === 1 ? manifests[0] : manifests;
  yield { name: "manifest.json", input: JSON.stringify(manifest, null, 2) };
  for (const prediction of predictions) {
    const files = outputFiles(prediction);
    for (const [index, file] of files.entries()) {
      const name = outputFileName(prediction.id, file, index, files.length);
      const input = await contentOf(file, name, saved, options);
      yield { name, input, lastModified: new Date(prediction.completed_at ?? prediction.created_at) };
    }
  }
}

async function contentOf(file: ShownFile, name: string, saved: { bytes: number }, options: SaveOptions) {
  const response = await fetch(file.url, {
    cache: "no-store",
    ...(options.signal && { signal: options.signal }),
  });
  if (!response.ok || !response.body) throw new Error(`${name} could not be fetched (${response.status}).`);
  return response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        saved.bytes += chunk.byteLength;
        options.onProgress?.(saved.bytes);
        controller.enqueue(chunk);
      },
    }),
  );
}

/** Facts for readers of the archive. Links are left out, because they expire. */
export function manifestOf(prediction: Prediction, files: ShownFile[]) {
  const { id, model, api_type, svc_region, status, input, usage, sandbox, created_at, completed_at } =
    prediction;
  return {
    prediction: { id, model, api_type, svc_region, status, sandbox, created_at, completed_at, usage },
    input,
    files: files.map((file, index) => {
      const { url: _url, preview_url: _previewUrl, ...facts } = file;
      return { name: outputFileName(id, file, index, files.length), ...facts };
    }),
  };
}
