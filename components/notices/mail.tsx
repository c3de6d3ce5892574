"use client";

import { Send } from "lucide-react";
import { useState } from "react";
import type { MailStatus } from "#contract/notices.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { Words } from "@/messages/words";

/** Sends an e-mail to the operator and shows the server's response. */
export function TestMail() {
  const t = useWords("noticePages");
  const router = usePageRouter();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const tryOut = async () => {
    setBusy(true);
    const answer = await answerOf(act("POST /operator/mail/test", { body: {} }));
    setBusy(false);
    router.refresh();
    if (!answer.ok) return toast(await failureToast(answer.error));
    const { sent, error } = answer.data;
    if (sent)
      toast({
        tone: "good",
        title: t("testAccepted"),
        description: t("testWent"),
      });
    else toast({ tone: "bad", title: t("testFailed"), ...(error && { description: error }) });
  };
  return (
    <Button variant="primary" busy={busy} icon={<Send size={16} aria-hidden />} onClick={() => void tryOut()}>
      {t("sendTest")}
    </Button>
  );
}

type Unsent = MailStatus["unsent"][number];

/** Kinds of e-mails beside notices. */
const kinds = ["invitation", "password_reset", "reset_request", "email_change", "email_changed"] as const;

function kindLabel(t: Words<"noticePages">, kind: string): string {
  if (kind === "notices") return t("title");
  const known = kinds.find((each) => each === kind);
  return known ? t(known) : kind;
}

export function UnsentTable({ mails }: { mails: readonly Unsent[] }) {
  const t = useWords("noticePages");
  const columns: readonly Column<Unsent>[] = [
    {
      head: t("when"),
      cellClass: "whitespace-nowrap",
      cell: ({ created_at }) => <Time value={created_at} />,
    },
    { head: t("what"), cell: ({ kind }) => kindLabel(t, kind) },
    { head: t("to"), cellClass: "max-w-56 wrap-anywhere", cell: ({ address }) => address },
    { head: t("tries"), numeric: true, from: "tablet", cell: ({ attempts }) => attempts },
    {
      head: t("answer"),
      from: "tablet",
      cellClass: "max-w-80 min-w-44 wrap-anywhere",
      cell: ({ error }) => error,
    },
  ];
  return <RowsTable label={t("notSent")} rows={mails} columns={columns} />;
}
