"use client";

import { useQueries } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Upload } from "#contract/upload.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { acceptOf } from "@/lib/browser/accepted-types";
import { fetchRoute, GatewayCallError } from "@/lib/browser/fetch-from-gateway";
import { fileOf, forgetUnfinished, idleAmong, unfinishedUploads } from "@/lib/browser/resumable/unfinished";
import { formatBytes } from "@/lib/format";
import { queryKeys } from "@/lib/query-keys";

interface UnfinishedUploadsProps {
  /** Ids to leave out: in this page's queue, or being deleted. */
  away: readonly string[];
  onContinue: (upload: Upload, file: File) => void;
  onDelete: (upload: Upload) => void;
}

/**
 * Uploads of this browser that stopped half-way and that no tab is sending. A reload loses the file, so the
 * user must choose it again.
 */
export function UnfinishedUploads({ away, onContinue: onGoOn, onDelete }: UnfinishedUploadsProps) {
  const t = useWords("uploads");
  const ids = useIdleIds().filter((id) => !away.includes(id));
  const found = useQueries({
    queries: ids.map((id) => ({ queryKey: queryKeys.upload(id), queryFn: () => readOrForget(id) })),
  });
  const uploads = found.flatMap(({ data }) => (data ? [data] : []));
  const continueUpload = useRef(onGoOn);
  continueUpload.current = onGoOn;
  const kept = uploads.filter(({ id }) => fileOf(id));
  const keptIds = kept.map(({ id }) => id).join();
  // If the user left the page and opened it again without a reload, the file is still there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ids stand for the uploads
  useEffect(() => {
    for (const upload of kept) {
      const file = fileOf(upload.id);
      if (file) continueUpload.current(upload, file);
    }
  }, [keptIds]);
  const asked = uploads.filter(({ id }) => !fileOf(id));
  if (asked.length === 0) return null;
  return (
    <section aria-label={t("unfinishedUploads")} className="mb-6">
      <ul className="divide-y divide-line rounded-panel border bg-panel">
        {asked.map((upload) => (
          <UnfinishedRow key={upload.id} upload={upload} onContinue={onGoOn} onDelete={onDelete} />
        ))}
      </ul>
    </section>
  );
}

function UnfinishedRow({
  upload,
  onContinue: onGoOn,
  onDelete,
}: Omit<UnfinishedUploadsProps, "away"> & { upload: Upload }) {
  const t = useWords("uploads");
  const input = useRef<HTMLInputElement>(null);
  const name = upload.filename ?? upload.id;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <span className="min-w-0 flex-1 basis-48 truncate font-medium" title={name}>
        {name}
      </span>
      <span className="tabular text-table text-muted">
        {t("partStored", {
          part: formatBytes(upload.received_bytes),
          size: formatBytes(upload.size_bytes),
        })}
      </span>
      <input
        ref={input}
        type="file"
        hidden
        accept={acceptOf([])}
        aria-label={t("theFileOfName", { name })}
        onChange={({ target }) => {
          const file = target.files?.[0];
          // Allows choosing the same file again.
          target.value = "";
          if (file) onGoOn(upload, file);
        }}
      />
      <Button
        size="sm"
        variant="primary"
        icon={<FileUp size={14} aria-hidden />}
        aria-label={t("chooseNameAgainToContinue", { name })}
        onClick={() => input.current?.click()}
      >
        {t("chooseTheFileToContinue")}
      </Button>
      <Button size="sm" aria-label={t("discardName", { name })} onClick={() => onDelete(upload)}>
        {t("discard")}
      </Button>
      <Progress
        className="basis-full"
        value={upload.received_bytes / upload.size_bytes}
        label={t("storedPartOfName", { name })}
      />
    </li>
  );
}

const lookEveryMs = 3_000;

/** The unfinished uploads of this browser that no tab is sending now. */
function useIdleIds(): string[] {
  const [ids, setIds] = useState<string[]>([]);
  useEffect(() => {
    let isOver = false;
    const look = async () => {
      const idle = await idleAmong(unfinishedUploads().map(({ id }) => id));
      if (!isOver) setIds((before) => (before.join() === idle.join() ? before : idle));
    };
    void look();
    const timer = setInterval(() => void look(), lookEveryMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, []);
  return ids;
}

/** Null if the upload cannot continue: it has arrived, has expired, or belongs to another account. */
async function readOrForget(id: string): Promise<Upload | null> {
  try {
    const upload = await fetchRoute("GET /uploads/{id}", { params: { id } });
    if (upload.status === "pending") return upload;
    forgetUnfinished(id);
  } catch (error) {
    if (!(error instanceof GatewayCallError) || error.failure.code !== "upload_not_found") throw error;
  }
  return null;
}
