import { idsIn } from "../ids-in.ts";

type IdFilterName = "id" | "event_id" | "prediction_id" | "endpoint_id";

const idFilters = new Map<string, IdFilterName>([
  ["dlv", "id"],
  ["evt", "event_id"],
  ["pred", "prediction_id"],
  ["we", "endpoint_id"],
]);

/** The filter for a pasted id, by its prefix. Null if the log has no filter for such ids. */
export function idFilter(pasted: string): { name: IdFilterName; value: string } | null {
  for (const value of [...idsIn(pasted), pasted.trim()]) {
    const name = idFilters.get(/^([a-z]+)_[0-9a-z]+$/.exec(value)?.[1] ?? "");
    if (name) return { name, value };
  }
  return null;
}
