import { RotateCw, X } from "lucide-react";
import { Button, IconButton } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { formatBytes } from "@/lib/format";
import { isUnderway, type QueueItem, type QueueState } from "./queue.ts";

interface QueueListProps {
  items: QueueItem[];
  onCancel: (key: string) => void;
  onAgain: (key: string) => void;
  onDismiss: (key: string) => void;
}

/** What is on its way from this browser, file by file. */
export function QueueList({ items, onCancel, onAgain, onDismiss }: QueueListProps) {
  return (
    <section aria-label="Uploads in progress" className="mb-6">
      <ul className="divide-y divide-line rounded-panel border bg-panel">
        {items.map((item) => (
          <li key={item.key} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <span className="min-w-0 flex-1 basis-48 truncate font-medium" title={item.file.name}>
              {item.file.name || "Pasted file"}
            </span>
            <span className={`tabular text-table ${item.state === "failed" ? "text-bad" : "text-muted"}`}>
              {wordsOf(item)}
            </span>
            <Controls item={item} onCancel={onCancel} onAgain={onAgain} onDismiss={onDismiss} />
            {isUnderway(item.state) && (
              <Progress
                className="basis-full"
                value={item.state === "sending" ? item.sentBytes / item.file.size : null}
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

const stateWords: Record<QueueState, string> = {
  waiting: "Queued",
  creating: "Preparing",
  sending: "Uploading",
  verifying: "Verifying",
  done: "Verified",
  failed: "Failed",
  canceled: "Canceled",
};

function wordsOf(item: QueueItem): string {
  if (item.state !== "sending") return stateWords[item.state];
  return `Uploading ${formatBytes(item.sentBytes)} of ${formatBytes(item.file.size)}`;
}

function Controls({
  item,
  onCancel,
  onAgain,
  onDismiss,
}: Omit<QueueListProps, "items"> & { item: QueueItem }) {
  const name = item.file.name || "pasted file";
  if (item.state === "waiting" || isUnderway(item.state)) {
    return (
      <Button size="sm" onClick={() => onCancel(item.key)} aria-label={`Cancel ${name}`}>
        Cancel
      </Button>
    );
  }
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

/** A file that the checks refuse would be refused again. */
function canTryAgain(item: QueueItem): boolean {
  const refusals = [
    "unsupported_content_type",
    "upload_too_large",
    "invalid_parameter",
    "content_type_mismatch",
  ];
  return !item.failure || !refusals.includes(item.failure.code);
}
