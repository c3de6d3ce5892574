import { Check } from "lucide-react";
import type { ReactNode } from "react";
import type { OperatorFirstSteps, OperatorSteps } from "#contract/operator/first-steps.ts";
import { StepList } from "@/components/ui/page/step-list";
import { NetworkState } from "./network-state.tsx";
import { stepCounts, stepsOfInstance } from "./steps-of-instance.ts";

interface FirstStepsOfInstanceProps {
  first: OperatorFirstSteps;
  /** The provider that was connected last. */
  providerId: string | null;
}

/** All steps, with what is true of the network now. */
export function FirstStepsOfInstance({ first, providerId }: FirstStepsOfInstanceProps) {
  const { steps, network } = first;
  const { done, all } = stepCounts(steps);
  const more: Record<string, ReactNode> = {
    provider: steps.connected_provider && !steps.ran_provider && <ProviderParts steps={steps} />,
    network: !steps.opened_network && <NetworkState network={network} />,
  };
  return (
    <>
      <p role="status" className="tabular mb-2 text-table text-muted">
        {done} of {all} done
      </p>
      <StepList
        steps={stepsOfInstance(steps, providerId).map((step) => ({ ...step, more: more[step.name] }))}
      />
    </>
  );
}

function ProviderParts({ steps }: { steps: OperatorSteps }) {
  const parts = [
    { label: "Kind and key", done: steps.connected_provider },
    { label: "Models", done: steps.mapped_model },
    { label: "First run", done: steps.ran_provider },
  ];
  return (
    <ol aria-label="Steps of a provider" className="flex flex-wrap gap-x-5 gap-y-1 text-table text-muted">
      {parts.map(({ label, done }, index) => (
        <li key={label} className="flex items-center gap-1.5">
          {done ? (
            <Check size={14} aria-hidden className="text-good" />
          ) : (
            <span aria-hidden>{index + 1}.</span>
          )}
          {label}
          {done && <span className="sr-only">(done)</span>}
        </li>
      ))}
    </ol>
  );
}
