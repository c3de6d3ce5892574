"use client";

import type { OperatorSteps } from "#contract/operator/first-steps.ts";
import { Button, LinkButton } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { stepCounts } from "./steps-of-instance.ts";

/** A line on Home in the operators' colour, with a link to all steps. */
export function StepsCard({ steps, onHide }: { steps: OperatorSteps; onHide: () => void }) {
  const { done, all, next } = stepCounts(steps);
  return (
    <section
      aria-labelledby="steps-of-instance"
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-panel border border-instance-line bg-instance-soft px-4 py-1.5"
    >
      <div className="flex min-w-0 flex-1 basis-60 flex-wrap items-baseline gap-x-3">
        <h2 id="steps-of-instance" className="font-semibold text-instance">
          Set up this installation
        </h2>
        <p className="text-table text-muted">
          {done} of {all} done. Next: {next}
        </p>
      </div>
      <Progress label="Steps done" value={done / all} className="max-w-32 max-tablet:hidden" />
      <div className="flex gap-2">
        <LinkButton size="sm" href="/operator/first-steps">
          Continue
        </LinkButton>
        <Button size="sm" variant="ghost" onClick={onHide}>
          Hide
        </Button>
      </div>
    </section>
  );
}
