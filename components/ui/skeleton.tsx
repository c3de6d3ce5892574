import { classNames } from "./class-names.ts";

/** Holds the place of what is loading; give it the size of the real thing. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames("block rounded-control bg-sunken breathe", className)} />;
}

/** A list page while it loads. */
export function ListSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-3">
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-5 w-80 max-w-full" />
      <Skeleton className="mt-3 h-8 w-full" />
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all the same and never move.
        <Skeleton key={row} className="h-9 w-full" />
      ))}
    </div>
  );
}
