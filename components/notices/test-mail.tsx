"use client";

import { Send } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/use-place";
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
        description: "It goes to your address.",
      });
    else toast({ tone: "bad", title: "The test e-mail was not sent", ...(error && { description: error }) });
  };
  return (
    <Button variant="primary" busy={busy} icon={<Send size={16} aria-hidden />} onClick={() => void tryOut()}>
      Send a test e-mail
    </Button>
  );
}
