import type { Provenance } from "#contract/outputs.ts";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { describeCredentials, labelSource } from "./provenance-labels.ts";

/** A file's stated origin, and its hash. */
export function ProvenanceFacts({ provenance }: { provenance: Provenance }) {
  const { claims, sha256 } = provenance;
  return (
    <Facts
      facts={[
        ["Content credentials", describeCredentials(provenance)],
        ...(claims?.digital_source_type
          ? ([["Claimed source", labelSource(claims.digital_source_type)]] as const)
          : []),
        ...(claims?.generator ? ([["Claimed program", claims.generator]] as const) : []),
        ...(claims?.actions.length ? ([["Claimed actions", claims.actions.join(", ")]] as const) : []),
        ...(claims?.signed_at ? ([["Time stamp", claims.signed_at]] as const) : []),
        [
          "SHA-256",
          sha256 ? (
            <span key="sha256" className="inline-flex items-center gap-1 font-mono text-meta">
              <span className="min-w-0 wrap-anywhere">{sha256}</span>
              <CopyButton value={sha256} label="Copy SHA-256" />
            </span>
          ) : (
            "not known: the file was made before this gateway stored hashes"
          ),
        ],
      ]}
    />
  );
}

/** What such a check proves and what not. */
export function ProvenanceLimits() {
  return (
    <p className="max-w-[80ch] text-table text-muted">
      Anybody can sign under any name: the signer is not compared with a list of trusted ones. Credentials are
      lost when a file is saved again or sent through most services, so a file without them may still be made
      by a model.
    </p>
  );
}
