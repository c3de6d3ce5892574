import type { Receipt } from "#contract/receipts.ts";
import { useWords } from "#words";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { IdChip } from "@/components/ui/id-chip";
import { Money } from "@/components/ui/money";
import { Time } from "@/components/ui/time";
import { listText } from "@/lib/words/list-text";

/** The facts that a receipt states about its run. `href`: the page of the run, if this account has one. */
export function ReceiptFacts({ receipt, kid, href }: { receipt: Receipt; kid: string; href?: string }) {
  const t = useWords("provenance");
  const { cost, deliveries, gates, output_files: files } = receipt;
  return (
    <Facts
      facts={[
        [t("run"), <IdChip key="run" id={receipt.id} href={href} />],
        [
          t("model"),
          <span key="model" className="font-mono text-meta">
            {receipt.model}
          </span>,
        ],
        [t("status"), receipt.error_code ? `${receipt.status}: ${receipt.error_code}` : receipt.status],
        [t("providerAndRegion"), `${receipt.provider ?? t("noneWasCalled")} · ${receipt.region}`],
        [t("created"), <Time key="created" value={receipt.created_at} mode="absolute" />],
        [
          t("completed"),
          receipt.completed_at ? (
            <Time key="completed" value={receipt.completed_at} mode="absolute" />
          ) : (
            t("notKnown")
          ),
        ],
        [
          t("gates"),
          listText(
            t.language,
            gates.map(
              ({ gate, statement_version: version }) =>
                gate.replaceAll("_", " ") + (version ? ` (${version})` : ""),
            ),
            "plain",
          ) || t("none"),
        ],
        [t("hashes"), t("inputAndFiles", { count: files.length })],
        [t("cost"), cost ? <Money key="cost" {...cost} /> : t("notKnown")],
        ...(deliveries
          ? ([[t("deliveries"), t("countDeliveries", { count: deliveries.length })]] as const)
          : []),
        [t("issued"), <Time key="issued" value={receipt.issued_at} mode="absolute" />],
        [
          t("signedWith"),
          <span key="kid" className="inline-flex max-w-full items-center gap-1 font-mono text-meta">
            <span className="min-w-0 wrap-anywhere">{kid}</span>
            <CopyButton value={kid} label={t("copyKeyId")} />
          </span>,
        ],
      ]}
    />
  );
}
