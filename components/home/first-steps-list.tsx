"use client";

import type { FirstSteps as Done } from "#contract/summary.ts";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { type Step, StepList } from "@/components/ui/page/step-list";
import type { Words } from "@/messages/words";

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

const stepsOf = (t: Words<"home">): readonly StepOfAccount[] => [
  {
    name: "ran_model",
    label: t("runModel"),
    hint: t("runHint"),
    action: { label: t("openCatalog"), href: "/catalog" },
  },
  {
    name: "created_key",
    label: t("createKey"),
    hint: t("createKeyHint"),
    action: { label: t("openKeys"), href: "/keys" },
  },
  { name: "used_key", label: t("firstCallStep"), hint: t("firstCallHint") },
  {
    name: "added_endpoint",
    label: t("addEndpoint"),
    hint: t("addEndpointHint"),
    action: { label: t("openEndpoints"), href: "/webhooks/endpoints" },
  },
  {
    name: "received_event",
    label: t("receiveEvent"),
    hint: t("receiveEventHint"),
    action: { label: t("openEndpoints"), href: "/webhooks/endpoints" },
  },
];

export function FirstStepsList({ done, command, folded = false, onHide }: FirstStepsListProps) {
  const t = useWords("home");
  const steps = stepsOf(t);
  const count = steps.filter(({ name }) => done[name]).length;
  const list = (
    <StepList
      steps={steps.map((step) => ({
        ...step,
        done: done[step.name],
        more: step.name === "used_key" && !done.used_key && (
          <CodeBlock label={t("firstCall")} language="shell" code={command} wrap />
        ),
      }))}
    />
  );
  const next = steps.find(({ name }) => !done[name]);
  return (
    <section aria-labelledby="first-steps" className={folded ? "mb-4" : "mb-8"}>
      <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 id="first-steps" className="text-title font-semibold">
          {t("firstSteps")}
        </h2>
        <span role="status" className="tabular text-table text-muted">
          {t("stepsDone", { done: count, all: steps.length })}
        </span>
        <Button size="sm" variant="ghost" className="ml-auto" onClick={onHide}>
          {t("hide")}
        </Button>
      </div>
      {folded ? (
        <details>
          <summary className="w-fit rounded-control text-table text-muted">
            {t("nextStep", { step: next?.label ?? "" })}
          </summary>
          <div className="mt-2">{list}</div>
        </details>
      ) : (
        list
      )}
    </section>
  );
}
