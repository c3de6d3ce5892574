import type { BatchFault } from "#contract/batches.ts";
import { CostEstimate } from "@/components/playground/cost-estimate";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Section } from "@/components/ui/page/section";
import { type Comparable, mostComparedModels, rowFor } from "@/lib/batches/compare";
import { faultWords } from "@/lib/batches/faults";
import type { JsonObject } from "@/lib/schema-form/json";

interface ModelChoiceProps {
  comparable: readonly Comparable[];
  input: JsonObject | null;
  chosen: readonly string[];
  faultsOf: (model: string) => readonly BatchFault[];
  onChoose: (model: string) => void;
}

/** The models of the kind, with what each lacks of the input. */
export function ModelChoice({ comparable, input, chosen, faultsOf, onChoose }: ModelChoiceProps) {
  return (
    <Section title="Models" description={`Up to ${mostComparedModels}.`} className="mb-0!">
      <ul className="divide-y rounded-panel border bg-panel">
        {comparable.map((each) => {
          const isChosen = chosen.includes(each.model);
          const lacks = input ? rowFor(each, input).lacks : [];
          const faults = isChosen ? faultsOf(each.model) : [];
          return (
            <li key={each.model} className="px-3 py-2">
              <Checkbox
                label={<span className="font-mono">{each.model}</span>}
                checked={isChosen}
                disabled={!isChosen && chosen.length >= mostComparedModels}
                hint={
                  lacks.length > 0
                    ? `This model has no ${lacks.join(", ")}; ${lacks.length > 1 ? "the values are" : "the value is"} ignored.`
                    : undefined
                }
                onChange={() => onChoose(each.model)}
              />
              {isChosen && input && (
                <p className="tabular pl-[26px] text-meta text-muted empty:hidden">
                  <CostEstimate
                    model={{ id: each.model }}
                    operation={each.billed}
                    body={rowFor(each, input).row}
                  />
                </p>
              )}
              {faults.length > 0 && (
                <p className="pl-[26px] text-meta font-medium text-bad">
                  Cannot run: {faults.map(faultWords).join(" ")}
                </p>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
