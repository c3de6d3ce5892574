"use client";

import { Send } from "lucide-react";
import { useState } from "react";
import type { MailStatus } from "#contract/notices.ts";
import { Button } from "@/components/ui/button";
import { type Column, RowsTable } from "@/components/ui/list/rows-table";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/link";
import { Time } from "@/components/ui/time";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

/** Sends an e-mail to the operator and shows the server's response. */
export function TestMail() {
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
        title: "The server accepted the test e-mail",
        description: "The e-mail was sent to your address.",
      });
    else toast({ tone: "bad", title: "The test e-mail was not sent", ...(error && { description: error }) });
  };
  return (
    <Button variant="primary" busy={busy} icon={<Send size={16} aria-hidden />} onClick={() => void tryOut()}>
      Send a test e-mail
    </Button>
  );
}

type Unsent = MailStatus["unsent"][number];

const kinds: Record<string, string> = {
  notices: "Notices",
  invitation: "Invitation",
  password_reset: "Password reset",
  reset_request: "Password reset",
  email_change: "Confirmation of an address",
  email_changed: "Change of an address",
};

const columns: readonly Column<Unsent>[] = [
  { head: "When", cellClass: "whitespace-nowrap", cell: ({ created_at }) => <Time value={created_at} /> },
  { head: "What", cell: ({ kind }) => kinds[kind] ?? kind },
  { head: "To", cellClass: "max-w-56 wrap-anywhere", cell: ({ address }) => address },
  { head: "Tries", numeric: true, from: "tablet", cell: ({ attempts }) => attempts },
  {
    head: "The server’s answer",
    from: "tablet",
    cellClass: "max-w-80 min-w-44 wrap-anywhere",
    cell: ({ error }) => error,
  },
];

export function UnsentTable({ mails }: { mails: readonly Unsent[] }) {
  return <RowsTable label="Not sent" rows={mails} columns={columns} />;
}
