"use client";

import { Circle, CircleCheck } from "lucide-react";
import type { FirstSteps as Done } from "#contract/summary.ts";
import { Button, LinkButton } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";

interface FirstStepsListProps {
  done: Done;
  /** The first call, for a shell. */
  command: string;
  onHide: () => void;
}

interface Step {
  name: keyof Done;
  label: string;
  hint: string;
  action?: { label: string; href: string };
}

const steps: readonly Step[] = [
  {
    name: "ran_model",
    label: "Run a model",
    hint: "In the playground; every operation has a form and an example.",
    action: { label: "Open the catalog", href: "/catalog" },
  },
  {
    name: "created_key",
    label: "Create a key",
    hint: "Your programs send it with each request.",
    action: { label: "Open keys", href: "/keys" },
  },
  {
    name: "used_key",
    label: "Make a first call",
    hint: "Copy this command; it reads your key from GATEHOUSE_API_KEY.",
  },
  {
    name: "added_endpoint",
    label: "Add a webhook endpoint",
    hint: "It is notified when a prediction finishes.",
    action: { label: "Open endpoints", href: "/webhooks/endpoints" },
  },
  {
    name: "received_event",
    label: "Receive an event",
    hint: "Send a test event from the page of your endpoint.",
    action: { label: "Open endpoints", href: "/webhooks/endpoints" },
  },
];

export function FirstStepsList({ done, command, onHide }: FirstStepsListProps) {
  const left = steps.filter(({ name }) => !done[name]);
  return (
    <section aria-labelledby="first-steps" className="mb-8">
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id="first-steps" className="text-title font-semibold">
          First steps
        </h2>
        <span role="status" className="tabular text-table text-muted">
          {steps.length - left.length} of {steps.length} done
        </span>
        <Button size="sm" variant="ghost" className="ml-auto" onClick={onHide}>
          Hide
        </Button>
      </div>
      <ol className="overflow-hidden rounded-panel border bg-panel">
        {steps.map((step) => (
          <li key={step.name} className="border-b px-4 py-3 last:border-b-0">
            <StepRow step={step} isDone={done[step.name]} isNext={step === left[0]} />
            {step.name === "used_key" && !done.used_key && (
              <div className="mt-2 min-w-0 tablet:pl-[30px]">
                <CodeBlock label="First call" language="shell" code={command} wrap />
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepRow({ step, isDone, isNext }: { step: Step; isDone: boolean; isNext: boolean }) {
  const { label, hint, action } = step;
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Icon size={18} aria-hidden className={isDone ? "text-good" : "text-faint"} />
      <div className="min-w-0 flex-1 basis-52">
        <p className={isDone ? "text-muted" : "font-medium"}>
          {label} {isDone && <span className="sr-only">(done)</span>}
        </p>
        {!isDone && <p className="text-table text-muted">{hint}</p>}
      </div>
      {action && !isDone && (
        <LinkButton size="sm" href={action.href} variant={isNext ? "primary" : "secondary"}>
          {action.label}
        </LinkButton>
      )}
    </div>
  );
}
