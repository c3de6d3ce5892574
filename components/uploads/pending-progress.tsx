import type { Upload } from "#contract/upload.ts";
import { useWords } from "#words";
import { Progress } from "@/components/ui/progress";
import { formatBytes } from "@/lib/format";
import { progressLabel } from "@/lib/uploads/progress-label";
import { useOtherTabsProgress } from "./use-other-tabs-progress.ts";

/**
 * Progress of a pending upload: from the tab that sends it, otherwise the part that the gateway has stored.
 */
export function PendingProgress({ upload }: { upload: Upload }) {
  const t = useWords("uploads");
  const progress = useOtherTabsProgress().get(upload.id);
  const { received_bytes: storedBytes, size_bytes: totalBytes } = upload;
  return (
    <span className="mt-1 block min-w-40 text-meta text-muted">
      {progress
        ? progressLabel(progress, t)
        : t("partStored", { part: formatBytes(storedBytes), size: formatBytes(totalBytes) })}
      <Progress
        className="mt-1"
        value={(progress?.sentBytes ?? storedBytes) / totalBytes}
        label={t("progressOfName", { name: upload.filename ?? upload.id })}
      />
    </span>
  );
}
