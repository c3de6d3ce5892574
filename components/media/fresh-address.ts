import { callRoute } from "@/lib/browser/gateway";

const storedFile = /\/v1\/files\/(outputs|uploads)\/([^/?]+)\//;

/** A new signed address of a stored file; null where the gateway gives none. */
export async function freshAddress(url: string): Promise<string | null> {
  const [, folder, id] = storedFile.exec(url) ?? [];
  if (!folder || !id) return null;
  if (folder === "uploads") {
    const upload = await callRoute("GET /uploads/{id}", { params: { id } });
    return upload.ok ? upload.data.download_url : null;
  }
  if (!id.startsWith("pred_")) return null;
  const prediction = await callRoute("GET /predictions/{id}", { params: { id } });
  const files = (prediction.ok && prediction.data.data) || [];
  return files.find((file) => pathOf(file.url) === pathOf(url))?.url ?? null;
}

/** Why a file cannot be shown, in words; a request of one byte tells. */
export async function loadFailureOf(url: string): Promise<string> {
  try {
    const response = await fetch(url, { headers: { range: "bytes=0-0" } });
    await response.body?.cancel();
    if (response.ok) return "This browser cannot play or show this file.";
    if (response.status === 403) return "The link has expired.";
    if (response.status === 404 || response.status === 410) return "The file was removed.";
    return `The file could not be loaded (${response.status}).`;
  } catch {
    return "The file cannot be reached. Check your connection.";
  }
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
