import { accountInAddress } from "../account-path.ts";

/** The results as a file; it is streamed, however large. */
export function resultsHref(id: string, format: "csv" | "zip", accountId: string): string {
  return `/api/gateway/batches/${id}/results.${format}?${accountInAddress}=${accountId}`;
}
