import type { Output } from "#contract/outputs.ts";
import { saveBlob, saveFrom } from "@/lib/browser/save-file";
import { outputFileName } from "../outputs.ts";

/** Downloads one file as it is, several as one zip file. Throws if one cannot be fetched. */
export async function saveFiles(files: readonly Output[]): Promise<void> {
  const [first] = files;
  if (!first?.url) return;
  if (files.length === 1) return saveFrom(first.url, nameOf(first));
  const { downloadZip } = await import("client-zip");
  saveBlob(`${files.length}-files.zip`, await downloadZip(entries(files)).blob());
}

async function* entries(files: readonly Output[]) {
  for (const file of files) {
    const name = nameOf(file);
    const response = await fetch(file.url ?? "", { cache: "no-store" });
    if (!response.ok || !response.body) throw new Error(`${name} could not be fetched (${response.status}).`);
    yield { name, input: response.body, lastModified: new Date(file.created_at) };
  }
}

/** `gen_…-2.png`: every file has a name of its own. */
function nameOf(file: Output): string {
  return outputFileName(file.run_id, file, file.position - 1, Number.POSITIVE_INFINITY);
}
