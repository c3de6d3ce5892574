import type { Metadata } from "#contract/metadata.ts";
import { metadataHref } from "@/lib/metadata-href";
import { Link } from "./page/link.tsx";

/** The caller's metadata of a request. Each pair links to the page of everything that has it. */
export function MetadataPairs({ metadata }: { metadata: Metadata | null }) {
  return Object.entries(metadata ?? {}).map(([key, value]) => (
    <Link
      key={key}
      href={metadataHref(`${key}=${value}`)}
      className="max-w-full rounded-control border px-1.5 py-[3px] font-mono text-meta text-muted wrap-anywhere hover:border-strong hover:text-ink"
    >
      {key}={value}
    </Link>
  ));
}
