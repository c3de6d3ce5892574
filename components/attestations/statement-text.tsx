import type { AttestationStatement } from "#contract/attestations.ts";

/** The exact words that are confirmed, with the version that will stand in the record. */
export function StatementText({ statement }: { statement: AttestationStatement }) {
  return (
    <figure className="rounded-control border border-line bg-sunken p-3">
      <blockquote className="whitespace-pre-line text-base text-ink">{statement.statement}</blockquote>
      <figcaption className="mt-2 text-meta text-muted">
        {statement.title}, statement version <span className="font-mono">{statement.version}</span>
      </figcaption>
    </figure>
  );
}
