import { failureOf, type GatewayResult } from "../gateway/result.ts";
import { sendToGateway } from "./gateway.ts";
import { saveBlob } from "./save-file.ts";

/** How much of a file has arrived. */
export interface Arrived {
  chats: number;
  bytes: number;
}

type Filter = Record<string, string | number | boolean>;

/**
 * Saves the chats that match the filter as JSONL, in the shape that fine-tuning takes. Nothing is saved if no chat
 * matches. Throws if the answer breaks off, because an incomplete file would look complete, or if `signal` aborts.
 */
export async function saveContents(
  query: Filter,
  signal: AbortSignal,
  onProgress: (arrived: Arrived) => void,
): Promise<GatewayResult<Arrived>> {
  const answer = await sendToGateway("/contents/export", { query, signal });
  if (!answer.ok) return answer;
  const response = answer.data;
  if (!response.ok) {
    const body: unknown = await response.json().catch(() => null);
    return { ok: false, error: failureOf(response.status, body, response.headers) };
  }
  const parts: Blob[] = [];
  let arrived: Arrived = { chats: 0, bytes: 0 };
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    const { value } = part;
    // The browser may keep the bytes of a blob on the disk.
    parts.push(new Blob([value]));
    arrived = { chats: arrived.chats + linesIn(value), bytes: arrived.bytes + value.byteLength };
    onProgress(arrived);
  }
  if (arrived.chats > 0) saveBlob("contents.jsonl", new Blob(parts, { type: "application/jsonl" }));
  return { ok: true, data: arrived };
}

const lineFeed = 10;

/** The lines that end in these bytes. */
function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines += 1;
  return lines;
}
