import { Link } from "@/components/ui/page/link";
import { Countdown } from "@/components/ui/time";
import type { Expiring } from "./expiring.ts";

const mostShown = 8;

/** Files that are removed within hours: save what should stay. */
export function ExpiringList({ expiring }: { expiring: readonly Expiring[] }) {
  if (expiring.length === 0)
    return <p className="text-muted">No files will be removed in the next six hours.</p>;
  return (
    <>
      <ul className="overflow-hidden rounded-panel border bg-panel">
        {expiring.slice(0, mostShown).map((entry) => (
          <li key={entry.id} className="border-b last:border-b-0">
            <Link
              href={entry.href}
              className="row-padding flex items-center justify-between gap-3 px-3 text-table hover:bg-sunken focus-visible:-outline-offset-2!"
            >
              <span className="truncate font-mono">{entry.label}</span>
              <span className="shrink-0 text-muted">
                in <Countdown until={entry.at} ended="a moment" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {expiring.length > mostShown && (
        <p className="mt-2 text-table text-muted">and {expiring.length - mostShown} more</p>
      )}
    </>
  );
}
