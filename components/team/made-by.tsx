import type { Maker } from "#contract/accounts/people.ts";
import { makerName } from "@/lib/team/maker";

/** Names the creator, as a line below another. */
export function MadeBy({ maker }: { maker: Maker | undefined }) {
  const name = makerName(maker);
  if (!name) return null;
  return (
    <span className="block max-w-36 truncate text-meta text-muted" title={`by ${name}`}>
      by {name}
    </span>
  );
}
