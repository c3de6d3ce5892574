import { byName } from "#contract/by-name.ts";
import type { Provenance } from "#contract/outputs.ts";
import { useWords } from "#words";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

/** A file's stated origin, and its hash. */
export function ProvenanceFacts({ provenance }: { provenance: Provenance }) {
  const t = useWords("provenance");
  const { claims, sha256 } = provenance;
  return (
    <Facts
      facts={[
        [t("contentCredentials"), describeCredentials(provenance, t)],
        ...(claims?.digital_source_type
          ? ([[t("claimedSource"), labelSource(claims.digital_source_type, t)]] as const)
          : []),
        ...(claims?.generator ? ([[t("claimedProgram"), claims.generator]] as const) : []),
        ...(claims?.actions.length
          ? ([[t("claimedActions"), listText(t.language, claims.actions, "plain")]] as const)
          : []),
        ...(claims?.signed_at ? ([[t("timeStamp"), claims.signed_at]] as const) : []),
        [
          "SHA-256",
          sha256 ? (
            <span key="sha256" className="inline-flex items-center gap-1 font-mono text-meta">
              <span className="min-w-0 wrap-anywhere">{sha256}</span>
              <CopyButton value={sha256} label={t("copySha256")} />
            </span>
          ) : (
            t("hashNotKnown")
          ),
        ],
      ]}
    />
  );
}

/** What a check of Content Credentials proves and what it does not. */
export function ProvenanceLimits() {
  const t = useWords("provenance");
  return <p className="max-w-[80ch] text-table text-muted">{t("anybodyCanSignUnderAny")}</p>;
}

type Reason = NonNullable<Provenance["reason"]>;

const reasons = {
  not_read: "notReadYet",
  unsupported_type: "cannotReadThisType",
  too_large: "tooLarge",
  reader_missing: "readerMissing",
  timeout: "couldNotBeReadInTime",
  failed: "couldNotBeRead",
} as const satisfies Record<Reason, string>;

/** The state of a file's Content Credentials in one line. */
export function describeCredentials(
  { state, issuer, claims, reason }: Provenance,
  t: Words<"provenance">,
): string {
  if (state === "absent") return t("none");
  if (state === "unknown") {
    const why = reasons[reason ?? "failed"];
    return why ? t(why) : t("notKnown");
  }
  if (claims?.validation === "unreadable") return t("presentButUnreadable");
  // The check cannot tell a changed file from a wrong signature.
  if (claims?.validation === "invalid")
    return issuer ? t("signedByButInvalid", { issuer }) : t("signedButInvalid");
  return issuer ? t("signedBy", { issuer }) : t("signed");
}

const sources = byName({
  trainedAlgorithmicMedia: "madeByAGenerativeModel",
  compositeWithTrainedAlgorithmicMedia: "editedWithAGenerativeModel",
  algorithmicMedia: "madeByAProgram",
  digitalCapture: "takenByACamera",
  digitalCreation: "madeByAPerson",
} as const);

/** IPTC's terms as text. An unknown term is shown unchanged. */
export function labelSource(term: string, t: Words<"provenance">): string {
  const name = term.split("/").at(-1) ?? term;
  const source = sources[name];
  return source ? t(source) : term;
}
