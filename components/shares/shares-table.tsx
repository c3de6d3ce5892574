"use client";

import { Link2Off } from "lucide-react";
import { useState } from "react";
import type { Share } from "#contract/shares.ts";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useSend } from "@/components/ui/form/use-send";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { usePageRouter } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import { makerName } from "@/lib/team/maker";
import { listText } from "@/lib/words/list-text";
import type { Words } from "@/messages/words";

/** The active links: the outputs that each shows, its expiry, and how often it was opened. */
export function SharesTable({ shares }: { shares: Share[] }) {
  const t = useWords("shares");
  const router = usePageRouter();
  const { toast } = useToast();
  const [asked, setAsked] = useState<Share | null>(null);
  const { busy, failure, show, send } = useSend();
  const ask = (share: Share | null) => {
    show(null);
    setAsked(share);
  };
  const revoke = async () => {
    if (!asked) return;
    const params = { id: asked.outputs[0]?.id ?? "", share_id: asked.id };
    const answer = await send(() => answerOf(act("DELETE /outputs/{id}/shares/{share_id}", { params })));
    if (!answer.ok && answer.error.code !== "share_not_found") return;
    ask(null);
    toast({ title: t("linkRevokedItNoLonger") });
    router.refresh();
  };
  return (
    <>
      <RowsTable label={t("sharedLinks")} rows={shares} columns={columnsWith(ask, t)} />
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(next) => !next && ask(null)}
        title={t("revokeThisLink")}
        body={t("theLinkStopsWorkingAt")}
        confirmLabel={t("revokeLink")}
        tone="bad"
        busy={busy}
        failure={failure}
        onConfirm={revoke}
      />
    </>
  );
}

function columnsWith(ask: (share: Share) => void, t: Words<"shares">): readonly Column<Share>[] {
  return [
    {
      head: t("output"),
      cellClass: "max-w-80 min-w-36",
      cell: (share) => (
        <>
          <span className="font-mono text-meta wrap-anywhere">{modelsOf(t, share)}</span>
          <span className="mt-0.5 flex flex-wrap gap-1">
            {share.outputs.length > 1 && <Badge>{t("countOutputs", { count: share.outputs.length })}</Badge>}
            {share.shows_prompt && <Badge>{t("withPrompt")}</Badge>}
            {share.gated && <Badge>{t("signedInPeopleOnly")}</Badge>}
            {share.outputs.every(({ removed }) => removed) && <Badge tone="gone">{t("fileRemoved")}</Badge>}
          </span>
        </>
      ),
    },
    { head: t("ends"), from: "tablet", cell: ({ expires_at: at }) => <Time value={at} /> },
    {
      head: t("opened"),
      from: "tablet",
      cell: ({ openings, last_opened_at: at }) =>
        at ? (
          <>{t.rich("openedTimes", { count: openings }, { time: () => <Time key="time" value={at} /> })}</>
        ) : (
          <span className="text-muted">{t("never")}</span>
        ),
    },
    {
      head: t("made"),
      from: "desktop",
      cell: ({ created_at: at, made_by: maker }) => (
        <>
          <Time value={at} />
          <span className="block text-meta text-muted wrap-anywhere">{makerName(maker, t.language)}</span>
        </>
      ),
    },
    {
      head: <span className="sr-only">{t("actions")}</span>,
      cell: (share) => (
        <span className="flex items-center justify-end gap-1">
          <CopyButton value={share.url} label={t("copyLinkTo", { models: modelsOf(t, share) })} />
          <Button
            size="sm"
            variant="ghost"
            icon={<Link2Off size={14} aria-hidden />}
            aria-label={t("revokeLinkTo", { models: modelsOf(t, share) })}
            onClick={() => ask(share)}
          >
            {t("revoke")}
          </Button>
        </span>
      ),
    },
  ];
}

function modelsOf(t: Words<"shares">, { outputs }: Share): string {
  return listText(t.language, [...new Set(outputs.map(({ model }) => model))], "plain");
}
