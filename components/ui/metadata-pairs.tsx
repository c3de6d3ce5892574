import type { Metadata } from "#contract/metadata.ts";
import { Link } from "./page/link.tsx";

interface MetadataPairsProps {
  metadata: Metadata | null;
  /** The list to which a pair links, filtered by the pair. */
  list: "/predictions" | "/requests";
}

/** The caller's metadata of a request. Each pair links to all rows that have it. */
export function MetadataPairs({ metadata, list }: MetadataPairsProps) {
  return Object.entries(metadata ?? {}).map(([key, value]) => (
    <Link
      key={key}
      href={`${list}?${new URLSearchParams({ metadata: `${key}=${value}` })}`}
      className="max-w-full rounded-control border px-1.5 py-[3px] font-mono text-meta text-muted wrap-anywhere hover:border-strong hover:text-ink"
    >
      {key}={value}
    </Link>
  ));
}
