"use client";

import { useQueries } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Upload } from "#contract/upload.ts";
import { useWords } from "#words";
import { NotOffered } from "@/components/ui/page/not-offered";
import { fetchRoute, GatewayCallError } from "@/lib/browser/fetch-from-gateway";
import { forgetId, rememberedIds } from "@/lib/browser/remembered-ids";
import { queryKeys } from "@/lib/query-keys";
import { UploadsTable } from "./uploads-table.tsx";

/** At most this many rows are shown, because each row needs a request. */
const maxShown = 20;

interface RememberedUploadsProps {
  /** Increases with every upload that this page finished, so that the list is read again. */
  finished: number;
  hidden: ReadonlySet<string>;
  onDelete: (upload: Upload) => void;
}

/** For a gateway without a list: this browser's uploads, each read by its id. */
export function RememberedUploads({ finished, hidden, onDelete }: RememberedUploadsProps) {
  const t = useWords("uploads");
  const [ids, setIds] = useState<string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a finished upload is a reason to read storage again
  useEffect(() => setIds(rememberedIds("upload").slice(0, maxShown)), [finished]);
  const found = useQueries({
    queries: ids.map((id) => ({ queryKey: queryKeys.upload(id), queryFn: () => readOrForget(id) })),
  });
  const uploads = found
    .flatMap((result) => (result.data ? [result.data] : []))
    .filter((upload) => !hidden.has(upload.id));
  return (
    <div className="space-y-4">
      {uploads.length > 0 && <UploadsTable uploads={uploads} onDelete={onDelete} />}
      <NotOffered what={t("aListOfUploads")} brief={uploads.length > 0}>
        {t("thisListHasFilesThat")}
      </NotOffered>
    </div>
  );
}

async function readOrForget(id: string): Promise<Upload | null> {
  try {
    return await fetchRoute("GET /uploads/{id}", { params: { id } });
  } catch (error) {
    if (!(error instanceof GatewayCallError) || error.failure.code !== "upload_not_found") throw error;
    forgetId("upload", id);
    return null;
  }
}
