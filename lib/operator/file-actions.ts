"use server";

import type {
  ProvidersFileExport,
  ProvidersFileImport,
  ProvidersFileImported,
} from "#contract/operator/file.ts";
import type { ActionResult } from "@/lib/gateway/result";
import { withChangeId } from "@/lib/server/gateway/operator";
import { requestRoute } from "@/lib/server/gateway/request";
import type { Changed } from "./change.ts";

export async function exportProvidersFile(): ActionResult<ProvidersFileExport> {
  return { answer: requestRoute("GET /operator/file") };
}

/** A dry run of the import: what it would do. */
export async function previewImport(file: ProvidersFileImport["file"]): ActionResult<ProvidersFileImported> {
  return { answer: requestRoute("POST /operator/file", { body: { file, dry_run: true } }) };
}

/** Keys go to the gateway, which encrypts them; no answer contains one. */
export async function importProvidersFile(
  body: ProvidersFileImport,
): ActionResult<Changed<ProvidersFileImported>> {
  return { answer: withChangeId(requestRoute("POST /operator/file", { body })) };
}
