"use client";

import { Link2Off } from "lucide-react";
import { useState } from "react";
import type { Share } from "#contract/shares.ts";
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
import { formatCount } from "@/lib/format";
import { act } from "@/lib/gateway/act";
import { makerName } from "@/lib/team/maker";

/** The active links: the outputs that each shows, its expiry, and how often it was opened. */
export function SharesTable({ shares }: { shares: Share[] }) {
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
    toast({ title: "Link revoked. It no longer works." });
    router.refresh();
  };
  return (
    <>
      <RowsTable label="Shared links" rows={shares} columns={columnsWith(ask)} />
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(next) => !next && ask(null)}
        title="Revoke this link?"
        body="The link stops working at once, for everybody. The output itself stays."
        confirmLabel="Revoke link"
        tone="bad"
        busy={busy}
        failure={failure}
        onConfirm={revoke}
      />
    </>
  );
}

function columnsWith(ask: (share: Share) => void): readonly Column<Share>[] {
  return [
    {
      head: "Output",
      cellClass: "max-w-80 min-w-36",
      cell: (share) => (
        <>
          <span className="font-mono text-meta wrap-anywhere">{modelsOf(share)}</span>
          <span className="mt-0.5 flex flex-wrap gap-1">
            {share.outputs.length > 1 && <Badge>{formatCount(share.outputs.length, "output")}</Badge>}
            {share.shows_prompt && <Badge>with prompt</Badge>}
            {share.gated && <Badge>signed-in people only</Badge>}
            {share.outputs.every(({ removed }) => removed) && <Badge tone="gone">file removed</Badge>}
          </span>
        </>
      ),
    },
    { head: "Ends", from: "tablet", cell: ({ expires_at: at }) => <Time value={at} /> },
    {
      head: "Opened",
      from: "tablet",
      cell: ({ openings, last_opened_at: at }) =>
        at ? (
          <>
            {formatCount(openings, "time")}, last <Time value={at} />
          </>
        ) : (
          <span className="text-muted">never</span>
        ),
    },
    {
      head: "Made",
      from: "desktop",
      cell: ({ created_at: at, made_by: maker }) => (
        <>
          <Time value={at} />
          <span className="block text-meta text-muted wrap-anywhere">{makerName(maker)}</span>
        </>
      ),
    },
    {
      head: <span className="sr-only">Actions</span>,
      cell: (share) => (
        <span className="flex items-center justify-end gap-1">
          <CopyButton value={share.url} label={`Copy link to ${modelsOf(share)}`} />
          <Button
            size="sm"
            variant="ghost"
            icon={<Link2Off size={14} aria-hidden />}
            aria-label={`Revoke link to ${modelsOf(share)}`}
            onClick={() => ask(share)}
          >
            Revoke
          </Button>
        </span>
      ),
    },
  ];
}

function modelsOf({ outputs }: Share): string {
  return [...new Set(outputs.map(({ model }) => model))].join(", ");
}
