"use client";

import { useEffect, useState } from "react";
import type { DoctorReport, Finding } from "#contract/operator/doctor.ts";
import { useWords } from "#words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Skeleton } from "@/components/ui/page/skeleton";
import { answerOf } from "@/lib/browser/action-answer";
import { act } from "@/lib/gateway/act";
import type { GatewayResult } from "@/lib/gateway/result";

/** Shows what `gatehouse doctor` finds on the gateway's machine, what is wrong first. */
export function DoctorDialog({ onClose }: { onClose: () => void }) {
  const t = useWords("operatorHealth");
  const [answer, setAnswer] = useState<GatewayResult<DoctorReport> | null>(null);
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round asks again
  useEffect(() => {
    let left = false;
    void answerOf(act("POST /operator/doctor")).then((found) => !left && setAnswer(found));
    return () => {
      left = true;
    };
  }, [round]);
  const again = () => {
    setAnswer(null);
    setRound(round + 1);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={t("doctor")}
      description={t("whatIsWrongOrOld")}
      footer={
        <>
          <Button onClick={onClose}>{t("close")}</Button>
          <Button busy={answer === null} onClick={again}>
            {t("checkAgain")}
          </Button>
        </>
      }
    >
      <div aria-live="polite">
        {!answer ? (
          <>
            <p className="sr-only">{t("checking")}</p>
            <Skeleton className="h-64 w-full" />
          </>
        ) : answer.ok ? (
          <Findings findings={answer.data.findings} />
        ) : (
          <ErrorPanel error={answer.error} onRetry={again} />
        )}
      </div>
    </Dialog>
  );
}

const looks = {
  wrong: { label: "wrong", tone: "bad" },
  look: { label: "look", tone: "warn" },
  good: { label: "good", tone: "good" },
} as const;

function Findings({ findings }: { findings: readonly Finding[] }) {
  const t = useWords("operatorHealth");
  const of = (state: Finding["state"]) => findings.filter((finding) => finding.state === state);
  return (
    <>
      <p className="mb-3 font-medium">
        {t("findings", {
          wrong: of("wrong").length,
          look: of("look").length,
          good: of("good").length,
        })}
      </p>
      <ul className="divide-y rounded-panel border">
        {[...of("wrong"), ...of("look"), ...of("good")].map(({ check, state, found, todo }) => (
          <li key={`${check} ${found}`} className="flex gap-3 px-3 py-2">
            <span className="w-14 shrink-0">
              <Badge tone={looks[state].tone}>{t(looks[state].label)}</Badge>
            </span>
            <span className="min-w-0 wrap-anywhere">
              <span className="font-medium">{check}: </span>
              {found}
              {todo && <span className="block text-muted">{todo}</span>}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
