"use client";

import { batchLimits } from "#contract/batch-constants.ts";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import type { Candidate } from "@/lib/compare/candidates";
import { comparedKinds, notComparedWords } from "@/lib/compare/kinds";
import { CandidateCard } from "./candidate-card.tsx";
import type { Comparison } from "./use-comparison.ts";

const most = batchLimits.maxCompared;

interface CandidateListProps {
  comparison: Comparison;
  baseUrl: string;
}

/** The models that can take the input, by what they make of it. */
export function CandidateList({ comparison, baseUrl }: CandidateListProps) {
  const { offered, isEmpty } = comparison;
  return (
    <Section
      title="Models"
      description={`Up to ${most}. Those below can take all files that you chose.`}
      className="mb-0!"
      actions={offered.length > 0 && <ChooseButton comparison={comparison} />}
    >
      {offered.length === 0 ? (
        <p className="rounded-panel border border-dashed px-6 py-10 text-center text-muted">
          {isEmpty
            ? "Write a prompt or choose a file to see the models that can take it."
            : "No model takes all of these files. Remove one to see more."}
        </p>
      ) : (
        <div className="flex flex-col gap-4">
          {Object.entries(comparedKinds).map(([apiType, title]) => (
            <Kind
              key={apiType}
              title={title}
              candidates={offered.filter((each) => each.apiType === apiType)}
              comparison={comparison}
              baseUrl={baseUrl}
            />
          ))}
        </div>
      )}
      <p className="mt-3 text-meta text-muted">
        {notComparedWords}{" "}
        <Link href="/catalog" className="text-accent underline">
          Find them in the catalog
        </Link>
        .
      </p>
    </Section>
  );
}

function ChooseButton({ comparison: { offered, chosen, choose } }: { comparison: Comparison }) {
  const isChosen = chosen.length > 0;
  const all = offered.length > most ? `Choose the first ${most}` : `Choose all ${offered.length}`;
  return (
    <Button size="sm" onClick={() => choose(isChosen ? [] : offered.slice(0, most).map(({ key }) => key))}>
      {isChosen ? "Choose none" : all}
    </Button>
  );
}

interface KindProps extends CandidateListProps {
  title: string;
  candidates: readonly Candidate[];
}

function Kind({ title, candidates, comparison, baseUrl }: KindProps) {
  if (candidates.length === 0) return null;
  const { chosen } = comparison;
  return (
    <div>
      <h3 className="mb-1 text-table font-medium text-muted">{title}</h3>
      <ul aria-label={title} className="divide-y rounded-panel border bg-panel">
        {candidates.map((candidate) => (
          <CandidateCard
            key={candidate.key}
            candidate={candidate}
            compared={comparison.rowOf(candidate)}
            isChosen={chosen.includes(candidate)}
            isFull={chosen.length >= most}
            baseUrl={baseUrl}
            faults={comparison.faultsOf(candidate)}
            onChoose={() => comparison.toggle(candidate.key)}
            onOwn={(name, value) => comparison.setOwn(candidate.key, name, value)}
            onUploading={comparison.onUploading}
          />
        ))}
      </ul>
    </div>
  );
}
