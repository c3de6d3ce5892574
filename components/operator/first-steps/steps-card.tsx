"use client";

import type { OperatorSteps } from "#contract/operator/first-steps.ts";
import { useWords } from "#words";
import { Button, LinkButton } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { stepCounts } from "./steps-of-instance.ts";

/** A line on Home in the operators' colour, with a link to all steps. */
export function StepsCard({ steps, onHide }: { steps: OperatorSteps; onHide: () => void }) {
  const t = useWords("operatorSteps");
  const { done, all, next } = stepCounts(t, steps);
  return (
    <section
      aria-labelledby="steps-of-instance"
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-panel border border-instance-line bg-instance-soft px-4 py-1.5"
    >
      <div className="flex min-w-0 flex-1 basis-60 flex-wrap items-baseline gap-x-3">
        <h2 id="steps-of-instance" className="font-semibold text-instance">
          {t("setUpThisInstallation")}
        </h2>
        <p className="text-table text-muted">{t("doneOfAllDoneNext", { done, all, next: next ?? "" })}</p>
      </div>
      <Progress label={t("stepsDone")} value={done / all} className="max-w-32 max-tablet:hidden" />
      <div className="flex gap-2">
        <LinkButton size="sm" href="/operator/first-steps">
          {t("continue")}
        </LinkButton>
        <Button size="sm" variant="ghost" onClick={onHide}>
          {t("hide")}
        </Button>
      </div>
    </section>
  );
}
