import { Pause, Play, RotateCw, X } from "lucide-react";
import { Button, IconButton } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { formatBytes } from "@/lib/format";
import { progressLabel } from "@/lib/uploads/progress-label";
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
  return (
    <section aria-label="Uploads in progress" className="mb-6">
      <ul className="divide-y divide-line rounded-panel border bg-panel">
        {items.map((item) => (
          <li key={item.key} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <span className="min-w-0 flex-1 basis-48 truncate font-medium" title={item.file.name}>
              {item.file.name || "Pasted file"}
            </span>
            <span className={`tabular text-table ${item.state === "failed" ? "text-bad" : "text-muted"}`}>
              {describeItem(item)}
            </span>
            <Controls item={item} {...actions} />
            {(isUnderway(item.state) || item.state === "paused") && (
              <Progress
                className="basis-full"
                value={hasShare.includes(item.state) ? item.sentBytes / item.file.size : null}
                label={`Progress of ${item.file.name}`}
              />
            )}
            {item.failure && item.state === "failed" && (
              <p className="basis-full text-table text-bad wrap-anywhere">{item.failure.message}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const hasShare: readonly QueueState[] = ["comparing", "sending", "offline", "paused"];

const stateLabels: Record<QueueState, string> = {
  waiting: "Queued",
  creating: "Preparing",
  comparing: "Comparing with the stored part",
  sending: "Uploading",
  offline: "Waiting for the connection",
  verifying: "Verifying",
  paused: "Paused",
  done: "Verified",
  failed: "Failed",
  canceled: "Canceled",
};

function describeItem(item: QueueItem): string {
  const { state, sentBytes, bytesPerSecond, file } = item;
  if (state === "sending") return progressLabel({ sentBytes, bytesPerSecond, totalBytes: file.size });
  if (state !== "offline" && state !== "paused") return stateLabels[state];
  return `${stateLabels[state]} · ${formatBytes(sentBytes)} of ${formatBytes(file.size)}`;
}

function Controls({
  item,
  onPause,
  onCancel,
  onAgain,
  onDismiss,
}: Omit<QueueListProps, "items"> & { item: QueueItem }) {
  const name = item.file.name || "pasted file";
  if (item.state === "waiting" || isUnderway(item.state)) {
    return (
      <>
        {canPause(item) && (
          <Button
            size="sm"
            icon={<Pause size={14} aria-hidden />}
            onClick={() => onPause(item.key)}
            aria-label={`Pause ${name}`}
          >
            Pause
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
          aria-label={`Resume ${name}`}
        >
          Resume
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
          aria-label={`Try again: ${name}`}
        >
          Try again
        </Button>
      )}
      <IconButton
        size="sm"
        label={`Remove ${name} from this list`}
        icon={<X size={14} aria-hidden />}
        onClick={() => onDismiss(item.key)}
      />
    </>
  );
}

function CancelButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button size="sm" onClick={onClick} aria-label={`Cancel ${name}`}>
      Cancel
    </Button>
  );
}

/** A file that failed the checks would fail them again. */
function canTryAgain(item: QueueItem): boolean {
  const refusals = [
    "unsupported_content_type",
    "upload_too_large",
    "invalid_parameter",
    "content_type_mismatch",
    "another_file",
  ];
  return !item.failure || !refusals.includes(item.failure.code);
}
