import type { Provenance } from "#contract/outputs.ts";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";

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

/** What a check of Content Credentials proves and what it does not. */
export function ProvenanceLimits() {
  return (
    <p className="max-w-[80ch] text-table text-muted">
      Anybody can sign under any name, because the signer is not compared with a list of trusted signers.
      Credentials are lost when a file is saved again or sent through most services, so a file without them
      may still be made by a model.
    </p>
  );
}

type Reason = NonNullable<Provenance["reason"]>;

const reasons: Record<Reason, string> = {
  not_read: "not read yet",
  unsupported_type: "this gateway cannot read this type of file",
  too_large: "too large for this gateway to read",
  reader_missing: "this gateway is installed without the reader (@contentauth/c2pa-wasm)",
  timeout: "could not be read in time",
  failed: "could not be read",
};

/** The check cannot tell a changed file from a wrong signature. */
const invalid = "the check failed: the file was changed later, or the signature is wrong";

/** The state of a file's Content Credentials in one line. */
export function describeCredentials({ state, issuer, claims, reason }: Provenance): string {
  if (state === "absent") return "none";
  if (state === "unknown") return reasons[reason ?? "failed"] ?? "not known";
  if (claims?.validation === "unreadable") return "present, but unreadable";
  const signer = issuer ? `signed by ${issuer}` : "signed";
  return claims?.validation === "invalid" ? `${signer}, but ${invalid}` : signer;
}

const sources: Record<string, string> = {
  trainedAlgorithmicMedia: "Made by a generative model",
  compositeWithTrainedAlgorithmicMedia: "Edited with a generative model",
  algorithmicMedia: "Made by a program",
  digitalCapture: "Taken by a camera",
  digitalCreation: "Made by a person with a program",
};

/** IPTC's terms as text. An unknown term is shown unchanged. */
export function labelSource(term: string): string {
  const name = term.split("/").at(-1) ?? term;
  return Object.hasOwn(sources, name) ? (sources[name] ?? term) : term;
}
