import type { Maker } from "#contract/accounts/people.ts";
import { makerName } from "@/lib/team/people";

/** A line that names the member or key that created the row. */
export function MadeBy({ maker }: { maker: Maker | undefined }) {
  const name = makerName(maker);
  if (!name) return null;
  return (
    <span className="block max-w-36 truncate text-meta text-muted" title={`by ${name}`}>
      by {name}
    </span>
  );
}
