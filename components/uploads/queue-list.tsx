import { Pause, Play, RotateCw, X } from "lucide-react";
import { useWords } from "#words";
import { Button, IconButton } from "@/components/ui/button";
import { FailureInShort } from "@/components/ui/failure-in-short";
import { Progress } from "@/components/ui/progress";
import { formatBytes } from "@/lib/format";
import { progressLabel } from "@/lib/uploads/progress-label";
import type { Words } from "@/messages/words";
import { canPause, isUnderway, type QueueItem, type QueueState } from "./queue.ts";

interface QueueListProps {
  items: QueueItem[];
  onPause: (key: string) => void;
  onCancel: (key: string) => void;
  onAgain: (key: string) => void;
  onDismiss: (key: string) => void;
}

/** Files being uploaded from this browser. */
export function QueueList({ items, ...actions }: QueueListProps) {
  const t = useWords("uploads");
  return (
    <section aria-label={t("uploadsInProgress")} className="mb-6">
      <ul className="divide-y divide-line rounded-panel border bg-panel">
        {items.map((item) => (
          <li key={item.key} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <span className="min-w-0 flex-1 basis-48 truncate font-medium" title={item.file.name}>
              {item.file.name || t("pastedFile")}
            </span>
            <span className={`tabular text-table ${item.state === "failed" ? "text-bad" : "text-muted"}`}>
              {describeItem(item, t)}
            </span>
            <Controls item={item} {...actions} />
            {(isUnderway(item.state) || item.state === "paused") && (
              <Progress
                className="basis-full"
                value={hasShare.includes(item.state) ? item.sentBytes / item.file.size : null}
                label={t("progressOfName", { name: item.file.name })}
              />
            )}
            {item.failure && item.state === "failed" && (
              <p className="basis-full text-table text-bad wrap-anywhere">
                <FailureInShort failure={item.failure} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const hasShare: readonly QueueState[] = ["comparing", "sending", "offline", "paused"];

function describeItem(item: QueueItem, t: Words<"uploads">): string {
  const { state, sentBytes, bytesPerSecond, file } = item;
  if (state === "sending") return progressLabel({ sentBytes, bytesPerSecond, totalBytes: file.size }, t);
  if (state !== "offline" && state !== "paused") return t("state", { state });
  return t("stateAndPart", { state, part: formatBytes(sentBytes), size: formatBytes(file.size) });
}

function Controls({
  item,
  onPause,
  onCancel,
  onAgain,
  onDismiss,
}: Omit<QueueListProps, "items"> & { item: QueueItem }) {
  const t = useWords("uploads");
  const name = item.file.name || t("aPastedFile");
  if (item.state === "waiting" || isUnderway(item.state)) {
    return (
      <>
        {canPause(item) && (
          <Button
            size="sm"
            icon={<Pause size={14} aria-hidden />}
            onClick={() => onPause(item.key)}
            aria-label={t("pauseName", { name })}
          >
            {t("pause")}
          </Button>
        )}
        <CancelButton name={name} onClick={() => onCancel(item.key)} />
      </>
    );
  }
  if (item.state === "paused")
    return (
      <>
        <Button
          size="sm"
          icon={<Play size={14} aria-hidden />}
          onClick={() => onAgain(item.key)}
          aria-label={t("resumeName", { name })}
        >
          {t("resume")}
        </Button>
        <CancelButton name={name} onClick={() => onCancel(item.key)} />
      </>
    );
  return (
    <>
      {item.state !== "done" && canTryAgain(item) && (
        <Button
          size="sm"
          icon={<RotateCw size={14} aria-hidden />}
          onClick={() => onAgain(item.key)}
          aria-label={t("tryAgainName", { name })}
        >
          {t("tryAgain")}
        </Button>
      )}
      <IconButton
        size="sm"
        label={t("removeNameFromThisList", { name })}
        icon={<X size={14} aria-hidden />}
        onClick={() => onDismiss(item.key)}
      />
    </>
  );
}

function CancelButton({ name, onClick }: { name: string; onClick: () => void }) {
  const t = useWords("uploads");
  return (
    <Button size="sm" onClick={onClick} aria-label={t("cancelName", { name })}>
      {t("cancel")}
    </Button>
  );
}

/** A file that failed the checks would fail them again. */
function canTryAgain(item: QueueItem): boolean {
  const refusals = [
    "unsupported_content_type",
    "upload_too_large",
    "empty_file",
    "invalid_parameter",
    "content_type_mismatch",
    "another_file",
  ];
  return !item.failure || !refusals.includes(item.failure.code);
}
