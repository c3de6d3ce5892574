import { useWords } from "#words";
import { classNames } from "../looks.ts";

/** A placeholder while something loads. Give it the size of the final content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames("block rounded-control bg-sunken breathe", className)} />;
}

const rows = 12;

/** A list page while it loads: title, filters, and a table with rows of the usual height. */
export function ListSkeleton() {
  const t = useWords("ui");
  return (
    <div role="status" aria-label={t("loading")}>
      <Skeleton className="h-7 w-40" />
      <Skeleton className="mt-1.5 h-4 w-96 max-w-full" />
      <div className="mt-6 mb-3 flex gap-2">
        <Skeleton className="control-height w-36" />
        <Skeleton className="control-height w-36 max-phone:hidden" />
        <Skeleton className="control-height w-36 max-tablet:hidden" />
      </div>
      <div className="overflow-hidden rounded-panel border bg-panel">
        {Array.from({ length: rows }, (_, row) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same and never move.
            key={row}
            className="flex h-11 items-center gap-6 border-b px-3 last:border-b-0"
          >
            <Skeleton className="h-4 w-40 shrink-0" />
            <Skeleton className="h-4 w-24 shrink-0" />
            <Skeleton className="h-4 flex-1 max-phone:hidden" />
          </div>
        ))}
      </div>
    </div>
  );
}
