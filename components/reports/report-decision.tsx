"use client";

import { useState } from "react";
import type { ReportStatus } from "#contract/share-constants.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { usePageRouter } from "@/components/ui/page/link";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";

interface ReportDecisionProps {
  id: string;
  status: ReportStatus;
  /** Who decides: an owner for the account, or an operator for all accounts. */
  by: "owner" | "operator";
  /** What is removed, in one sentence. */
  removes: string;
}

/** Removes the reported file or dismisses the report. Renders nothing once the file is removed. */
export function ReportDecision({ id, status, by, removes }: ReportDecisionProps) {
  const t = useWords("reports");
  const router = usePageRouter();
  const { toast } = useToast();
  const [asked, setAsked] = useState<"remove" | "dismiss" | null>(null);
  const { busy, failure, show, send } = useSend();
  const ask = (next: typeof asked) => {
    show(null);
    setAsked(next);
  };
  const decide = async (decision: "remove" | "dismiss") => {
    const answer = await send(() => decided(by, decision, id));
    if (!answer.ok) return;
    setAsked(null);
    toast({ title: decision === "remove" ? t("fileRemovedAndBarred") : t("reportDismissed") });
    router.refresh();
  };
  if (status === "removing" || status === "removed") return null;
  return (
    <div className="space-y-3">
      {failure && asked !== "remove" && <ErrorPanel error={failure} />}
      <div className="flex flex-wrap gap-2">
        <Button variant="danger" onClick={() => ask("remove")}>
          {t("removeFile")}
        </Button>
        {status === "open" && (
          <Button busy={busy && asked === null} onClick={() => void decide("dismiss")}>
            {t("dismissReport")}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asked === "remove"}
        onOpenChange={(next) => !next && ask(null)}
        title={t("removeThisFileAndBar")}
        body={t("nobodyCanKeepIt", { removes })}
        confirmLabel={t("removeFile")}
        tone="bad"
        busy={busy}
        failure={failure}
        onConfirm={() => void decide("remove")}
      />
    </div>
  );
}

function decided(
  by: "owner" | "operator",
  decision: "remove" | "dismiss",
  id: string,
): Promise<GatewayResult<unknown>> {
  const call = { params: { id } };
  if (by === "owner")
    return decision === "remove"
      ? answerOf(act("POST /reports/{id}/remove", call))
      : answerOf(act("POST /reports/{id}/dismiss", call));
  return decision === "remove"
    ? answerOf(act("POST /operator/reports/{id}/remove", call))
    : answerOf(act("POST /operator/reports/{id}/dismiss", call));
}
