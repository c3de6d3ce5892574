"use client";

import type { FirstSteps as Done } from "#contract/summary.ts";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { type Step, StepList } from "@/components/ui/page/step-list";

interface FirstStepsListProps {
  done: Done;
  /** The first call as a shell command. */
  command: string;
  /** Shows only the next step, in one line that opens the list, so that Home has space for other content. */
  folded?: boolean;
  onHide: () => void;
}

interface StepOfAccount extends Pick<Step, "label" | "hint" | "action"> {
  name: keyof Done;
}

const steps: readonly StepOfAccount[] = [
  {
    name: "ran_model",
    label: "Run a model",
    hint: "In the playground, every operation has a form and an example.",
    action: { label: "Open the catalog", href: "/catalog" },
  },
  {
    name: "created_key",
    label: "Create a key",
    hint: "Your programs send the key with each request.",
    action: { label: "Open keys", href: "/keys" },
  },
  {
    name: "used_key",
    label: "Make a first call",
    hint: "Copy this command. It reads your key from GATEHOUSE_API_KEY.",
  },
  {
    name: "added_endpoint",
    label: "Add a webhook endpoint",
    hint: "The gateway sends an event to your endpoint when a prediction finishes.",
    action: { label: "Open endpoints", href: "/webhooks/endpoints" },
  },
  {
    name: "received_event",
    label: "Receive an event",
    hint: "Send a test event from the page of your endpoint.",
    action: { label: "Open endpoints", href: "/webhooks/endpoints" },
  },
];

export function FirstStepsList({ done, command, folded = false, onHide }: FirstStepsListProps) {
  const count = steps.filter(({ name }) => done[name]).length;
  const list = (
    <StepList
      steps={steps.map((step) => ({
        ...step,
        done: done[step.name],
        more: step.name === "used_key" && !done.used_key && (
          <CodeBlock label="First call" language="shell" code={command} wrap />
        ),
      }))}
    />
  );
  const next = steps.find(({ name }) => !done[name]);
  return (
    <section aria-labelledby="first-steps" className={folded ? "mb-4" : "mb-8"}>
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id="first-steps" className="text-title font-semibold">
          First steps
        </h2>
        <span role="status" className="tabular text-table text-muted">
          {count} of {steps.length} done
        </span>
        <Button size="sm" variant="ghost" className="ml-auto" onClick={onHide}>
          Hide
        </Button>
      </div>
      {folded ? (
        <details>
          <summary className="w-fit rounded-control text-table text-muted">Next: {next?.label}</summary>
          <div className="mt-2">{list}</div>
        </details>
      ) : (
        list
      )}
    </section>
  );
}
