"use client";

import { useState } from "react";
import type { Notice } from "#contract/notices.ts";
import { useWords } from "#words";
import { raisedText } from "@/components/tasks/task-look";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { failureToast } from "@/components/ui/page/failure-toast";
import { useToast } from "@/components/ui/toast";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";

interface RaiseButtonProps {
  raise: NonNullable<Notice["raise"]>;
  /** The notice's title, for screen readers. */
  title: string;
}

/** Doubles the cap of the task in a notice. A second click changes nothing. */
export function RaiseButton({ raise: { task_id: id, amount, max_runs }, title }: RaiseButtonProps) {
  const t = useWords("noticePages");
  const ofUi = useWords("ui");
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);

  const raise = async () => {
    const body = { ...(amount !== null && { amount }), ...(max_runs !== null && { max_runs }) };
    setBusy(true);
    const answer = await answerOf(act("POST /tasks/{id}/raise", { params: { id }, body }));
    setBusy(false);
    toast(
      answer.ok ? { tone: "good", title: raisedText(ofUi, answer.data) } : await failureToast(answer.error),
    );
  };

  return (
    <Permitted to="keys:own">
      <Button size="sm" busy={busy} aria-label={t("doubleCapOf", { title })} onClick={() => void raise()}>
        {t("doubleCap")}
      </Button>
    </Permitted>
  );
}
