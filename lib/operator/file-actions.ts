"use server";

import type {
  ProvidersFileExport,
  ProvidersFileImport,
  ProvidersFileImported,
} from "#contract/operator-file.ts";
import type { Acting } from "@/lib/gateway/result";
import { changing, exportFile, importFile } from "@/lib/server/gateway/operator";
import type { Changed } from "./change.ts";

export async function exportProvidersFile(): Acting<ProvidersFileExport> {
  return { answer: exportFile() };
}

/** What an import of the file would do; nothing is changed. */
export async function previewImport(file: ProvidersFileImport["file"]): Acting<ProvidersFileImported> {
  return { answer: importFile({ file, dry_run: true }) };
}

/** Keys go to the gateway, which seals them; no answer has one. */
export async function importProvidersFile(body: ProvidersFileImport): Acting<Changed<ProvidersFileImported>> {
  return { answer: changing(importFile(body)) };
}
