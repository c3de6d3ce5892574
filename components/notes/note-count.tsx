import { StickyNote } from "lucide-react";
import { formatCount } from "@/lib/format";

/** Shows in a list's row that colleagues left notes on the row. */
export function NoteCount({ count = 0 }: { count: number | undefined }) {
  if (count === 0) return null;
  return (
    <span
      title={formatCount(count, "note")}
      className="tabular inline-flex items-center gap-0.5 text-meta whitespace-nowrap text-muted"
    >
      <StickyNote size={12} aria-hidden />
      {count}
      <span className="sr-only">{count === 1 ? " note" : " notes"}</span>
    </span>
  );
}
