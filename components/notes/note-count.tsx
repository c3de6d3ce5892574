import { StickyNote } from "lucide-react";
import { useWords } from "#words";

/** Shows in a list's row that colleagues left notes on the row. */
export function NoteCount({ count = 0 }: { count: number | undefined }) {
  const t = useWords("notes");
  if (count === 0) return null;
  return (
    <span
      title={t("count", { count })}
      className="tabular inline-flex items-center gap-0.5 text-meta whitespace-nowrap text-muted"
    >
      <StickyNote size={12} aria-hidden />
      {t.rich(
        "countHeard",
        { count },
        {
          hidden: (content) => (
            <span key="hidden" className="sr-only">
              {content}
            </span>
          ),
        },
      )}
    </span>
  );
}
