import "server-only";
import type { List, PageQuery } from "#contract/list.ts";
import type { ConfigurationChange } from "#contract/operator-changes.ts";
import type {
  ProvidersFileExport,
  ProvidersFileImport,
  ProvidersFileImported,
} from "#contract/operator-file.ts";
import type { HealthReport } from "#contract/operator-health.ts";
import type { GatewayResult } from "../../gateway/result.ts";
import type { Changed } from "../../operator/change.ts";
import { requestGateway } from "./request.ts";

/** How many of the newest changes are looked through for one's own: others may change something at the same moment. */
const newestChanges = 20;

/** Does a change, and finds the audit row that it wrote: by that it can be undone. */
export async function changing<Data>(
  call: Promise<GatewayResult<Data>>,
): Promise<GatewayResult<Changed<Data>>> {
  const answer = await call;
  if (!answer.ok) return answer;
  const changes = await listChanges({ limit: newestChanges });
  const own = changes.ok && changes.data.data.find((row) => row.request_id === answer.requestId);
  return { ok: true, data: { data: answer.data, changeId: own ? own.id : null } };
}

export function listChanges(query: PageQuery): Promise<GatewayResult<List<ConfigurationChange>>> {
  return requestGateway("/operator/changes", { query });
}

export function undo(changeId: string): Promise<GatewayResult<ConfigurationChange>> {
  return requestGateway(`/operator/changes/${encodeURIComponent(changeId)}/undo`, { method: "POST" });
}

/** What the console made, in the form of a providers file, without keys. */
export function exportFile(): Promise<GatewayResult<ProvidersFileExport>> {
  return requestGateway("/operator/file");
}

/** With `dry_run` it only says what it would do. */
export function importFile(body: ProvidersFileImport): Promise<GatewayResult<ProvidersFileImported>> {
  return requestGateway("/operator/file", { method: "POST", body });
}

export function readHealth(minutes: number): Promise<GatewayResult<HealthReport>> {
  return requestGateway("/operator/health", { query: { minutes } });
}
