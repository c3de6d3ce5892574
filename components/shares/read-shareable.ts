import { fetchRoute, GatewayCallError } from "@/lib/browser/fetch-from-gateway";
import { localFailure } from "@/lib/gateway/result";
import { runOfFile } from "@/lib/shares/run-of-file";

/** Outputs that can be shared together, and the limits. */
export interface Shareable {
  ids: string[];
  maxSeconds: number;
  /** Those that are removed after a time and can be kept. */
  keepable: string[];
  /** When the last of the files is removed; null: one of them is kept without end. */
  filesEndAt: string | null;
  hasPrompt: boolean;
  gated: boolean;
}

/** The outputs behind these signed URLs that can be shared. Throws `GatewayCallError`. */
export async function readShareable(urls: readonly string[], signal: AbortSignal): Promise<Shareable> {
  const files = urls.flatMap((url) => runOfFile(url) ?? []);
  const runs = [...new Set(files.map(({ run }) => run))];
  const lists = await Promise.all(
    runs.map((id) => fetchRoute("GET /outputs", { query: { prediction_id: id }, signal })),
  );
  const listed = lists.flatMap(({ data }) => data);
  const ids = files.flatMap(
    ({ run, position }) =>
      listed.find((output) => output.run_id === run && output.position === position)?.id ?? [],
  );
  if (ids.length === 0)
    throw new GatewayCallError(
      localFailure("payload_purged", "The file was removed, so there is nothing to share."),
    );
  const terms = await Promise.all(
    ids.map((id) => fetchRoute("GET /outputs/{id}/shares", { params: { id }, query: { limit: 1 }, signal })),
  );
  const ends = terms.map(({ file_expires_at: at }) => at);
  return {
    ids,
    keepable: listed
      .filter(({ id, keepable, kept }) => ids.includes(id) && keepable && !kept)
      .map(({ id }) => id),
    maxSeconds: terms[0]?.max_expires_in ?? 0,
    filesEndAt: ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null),
    hasPrompt: terms.some(({ has_prompt }) => has_prompt),
    gated: terms.some(({ gated }) => gated),
  };
}
