"use client";

import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useWords } from "#words";
import { ReceiptFacts } from "@/components/provenance/receipt-facts";
import { Button } from "@/components/ui/button";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePlace } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { saveFrom } from "@/lib/browser/save-file";
import { accountInAddress } from "@/lib/paths";

/** The main facts of the signed receipt of a run that has ended, with a link that downloads the receipt. */
export function ReceiptSection({ runId }: { runId: string }) {
  const t = useWords("predictions");
  const { accountId } = usePlace();
  const account = accountId ? `?${accountInAddress}=${accountId}` : "";
  const { data, error, refetch } = useQuery({
    queryKey: ["receipt", runId],
    queryFn: ({ signal }) => fetchRoute("GET /predictions/{id}/receipt", { params: { id: runId }, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const failure = failureBehind(error);
  // Runs of an earlier release, and gateways without extensions, have no receipt.
  if (failure?.code === "receipt_not_available" || failure?.code === "route_not_found") return null;
  if (!data && !failure) return null;
  return (
    <Section
      title={t("receipt")}
      className="mt-6"
      description={t("aSignedStatementAboutThis")}
      actions={
        data && (
          <Button
            size="sm"
            icon={<Download size={14} aria-hidden />}
            onClick={() => saveFrom(`/api/gateway/predictions/${runId}/receipt${account}`)}
          >
            {t("downloadReceipt")}
          </Button>
        )
      }
    >
      {failure && <ErrorPanel error={failure} onRetry={() => void refetch()} />}
      {data && (
        <details>
          <summary className="w-fit rounded-control text-table text-muted">
            {t("contentsOfTheReceipt")}
          </summary>
          <div className="mt-2">
            <ReceiptFacts receipt={data.receipt} kid={data.signature.kid} />
          </div>
        </details>
      )}
    </Section>
  );
}
