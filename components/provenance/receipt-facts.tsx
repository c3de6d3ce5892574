import type { Receipt } from "#contract/receipts.ts";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { IdChip } from "@/components/ui/id-chip";
import { Money } from "@/components/ui/money";
import { Time } from "@/components/ui/time";
import { formatCount } from "@/lib/format";

/** The facts that a receipt states about its run. `href`: the page of the run, if this account has one. */
export function ReceiptFacts({ receipt, kid, href }: { receipt: Receipt; kid: string; href?: string }) {
  const { cost, deliveries, gates, output_files: files } = receipt;
  return (
    <Facts
      facts={[
        ["Run", <IdChip key="run" id={receipt.id} href={href} />],
        [
          "Model",
          <span key="model" className="font-mono text-meta">
            {receipt.model}
          </span>,
        ],
        ["Status", receipt.error_code ? `${receipt.status}: ${receipt.error_code}` : receipt.status],
        ["Provider and region", `${receipt.provider ?? "none was called"} · ${receipt.region}`],
        ["Created", <Time key="created" value={receipt.created_at} mode="absolute" />],
        [
          "Completed",
          receipt.completed_at ? (
            <Time key="completed" value={receipt.completed_at} mode="absolute" />
          ) : (
            "not known"
          ),
        ],
        [
          "Gates",
          gates
            .map(
              ({ gate, statement_version: version }) =>
                gate.replaceAll("_", " ") + (version ? ` (${version})` : ""),
            )
            .join(", ") || "none",
        ],
        ["Hashes", `input and ${formatCount(files.length, "file")}`],
        ["Cost", cost ? <Money key="cost" {...cost} /> : "not known"],
        ...(deliveries
          ? ([["Deliveries", formatCount(deliveries.length, "delivery", "deliveries")]] as const)
          : []),
        ["Issued", <Time key="issued" value={receipt.issued_at} mode="absolute" />],
        [
          "Signed with",
          <span key="kid" className="inline-flex max-w-full items-center gap-1 font-mono text-meta">
            <span className="min-w-0 wrap-anywhere">{kid}</span>
            <CopyButton value={kid} label="Copy key id" />
          </span>,
        ],
      ]}
    />
  );
}
