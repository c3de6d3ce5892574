import type { Output } from "#contract/outputs.ts";
import { OutputPicture } from "@/components/media/output-picture";
import { Time } from "@/components/ui/time";

/** One file of the grid; a press opens it. */
export function KeptCard({ output, onOpen }: { output: Output; onOpen: () => void }) {
  const { model, kept, created_at: createdAt } = output;
  const title = kept?.prompt ?? model;
  return (
    <button
      type="button"
      onClick={onOpen}
      className="flex w-full min-w-0 flex-col overflow-hidden rounded-panel border bg-panel text-left hover:border-accent"
    >
      <span className="relative aspect-video w-full overflow-hidden bg-sunken">
        <OutputPicture file={output} />
      </span>
      <span className="flex min-w-0 flex-col gap-1 px-3 py-2">
        <span className="line-clamp-2 wrap-anywhere font-medium">{title}</span>
        <span className="truncate text-meta text-muted">
          {kept?.prompt && `${model} · `}
          <Time value={createdAt} />
        </span>
        {kept && kept.labels.length > 0 && (
          <span className="truncate text-meta text-muted">{kept.labels.join(", ")}</span>
        )}
      </span>
    </button>
  );
}
