import { Circle, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useWords } from "#words";
import { LinkButton } from "@/components/ui/button";

export interface Step {
  name: string;
  label: string;
  done: boolean;
  /** Shown until the step is done. */
  hint: string;
  action?: { label: string; href: string } | undefined;
  /** True when an installation works without the step. */
  optional?: boolean;
  /** Shown below the step. */
  more?: ReactNode;
}

/** Ordered steps with ticks. The first open step has the primary button. */
export function StepList({ steps }: { steps: readonly Step[] }) {
  const next = steps.find(({ done }) => !done);
  return (
    <ol className="overflow-hidden rounded-panel border bg-panel">
      {steps.map((step) => (
        <li key={step.name} className="border-b px-4 py-3 last:border-b-0">
          <StepRow {...step} isNext={step === next} />
          {step.more && <div className="mt-2 min-w-0 tablet:pl-[30px]">{step.more}</div>}
        </li>
      ))}
    </ol>
  );
}

function StepRow({ label, done, hint, action, optional, isNext }: Step & { isNext: boolean }) {
  const t = useWords("ui");
  const Icon = done ? CircleCheck : Circle;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Icon size={18} aria-hidden className={done ? "text-good" : "text-faint"} />
      <div className="min-w-0 flex-1 basis-52">
        <p className={done ? "text-muted" : "font-medium"}>
          {label} {optional && !done && <span className="font-normal text-muted">{t("optional")}</span>}{" "}
          {done && <span className="sr-only">{t("done")}</span>}
        </p>
        {!done && <p className="max-w-[80ch] text-table text-muted">{hint}</p>}
      </div>
      {action && !done && (
        <LinkButton size="sm" href={action.href} variant={isNext ? "primary" : "secondary"}>
          {action.label}
        </LinkButton>
      )}
    </div>
  );
}

/** The current step of a page with several steps. */
export function NumberedSteps({ names, current }: { names: readonly string[]; current: number }) {
  const t = useWords("ui");
  return (
    <ol className="mb-5 flex flex-wrap gap-x-6 gap-y-1 text-table" aria-label={t("steps")}>
      {names.map((name, index) => (
        <li
          key={name}
          aria-current={index === current ? "step" : undefined}
          className="text-muted aria-[current=step]:font-medium aria-[current=step]:text-ink"
        >
          {index + 1}. {name}
        </li>
      ))}
    </ol>
  );
}
