"use client";

import dynamic from "next/dynamic";
import { batchLimits } from "#contract/batch-constants.ts";
import type { BatchFault } from "#contract/batches.ts";
import { CostEstimate } from "@/components/playground/cost-estimate";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Link } from "@/components/ui/page/link";
import { Section } from "@/components/ui/page/section";
import { gates } from "@/lib/attestations/gates";
import { describeFault } from "@/lib/batches/faults";
import type { Candidate } from "@/lib/compare/candidates";
import { comparedKinds, notComparedHint } from "@/lib/compare/kinds";
import type { ComparedRow } from "@/lib/compare/row-for";
import type { Comparison } from "./use-comparison.ts";

const maxChosen = batchLimits.maxCompared;

interface CandidateListProps {
  comparison: Comparison;
  baseUrl: string;
}

/** The models that accept the input, grouped by what they make. */
export function CandidateList({ comparison, baseUrl }: CandidateListProps) {
  const { offered, isEmpty } = comparison;
  return (
    <Section
      title="Models"
      description={`Up to ${maxChosen}. The models below accept all files you chose.`}
      className="mb-0!"
      actions={offered.length > 0 && <ChooseButton comparison={comparison} />}
    >
      {offered.length === 0 ? (
        <p className="rounded-panel border border-dashed px-6 py-10 text-center text-muted">
          {isEmpty
            ? "Write a prompt or choose a file to see the models that accept it."
            : "No model accepts all of these files. Remove one to see more."}
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
        {notComparedHint}{" "}
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
  const all = offered.length > maxChosen ? `Choose the first ${maxChosen}` : `Choose all ${offered.length}`;
  return (
    <Button
      size="sm"
      onClick={() => choose(isChosen ? [] : offered.slice(0, maxChosen).map(({ key }) => key))}
    >
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
            isFull={chosen.length >= maxChosen}
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

const PlannedFields = dynamic(() => import("./planned-fields.tsx").then((module) => module.PlannedFields), {
  ssr: false,
  loading: () => null,
});

interface CandidateCardProps {
  candidate: Candidate;
  compared: ComparedRow;
  isChosen: boolean;
  isFull: boolean;
  baseUrl: string;
  faults: readonly BatchFault[];
  onChoose: () => void;
  onOwn: (name: string, value: unknown) => void;
  onUploading: (change: 1 | -1) => void;
}

/** One model: which inputs it ignores, what else it needs, its cost, and why it cannot run. */
function CandidateCard({ candidate, compared, isChosen, isFull, ...rest }: CandidateCardProps) {
  const { baseUrl, faults, onChoose, onOwn, onUploading } = rest;
  const { key, model, fields, billed, attestations } = candidate;
  const asked = fields.filter(({ required }) => required);
  return (
    <li className="px-3 py-2">
      <Checkbox
        label={<span className="font-mono wrap-anywhere">{model}</span>}
        checked={isChosen}
        disabled={!isChosen && isFull}
        hint={compared.differs ?? undefined}
        onChange={onChoose}
      />
      {attestations.length > 0 && (
        <p className="flex flex-wrap gap-1 pt-1 pl-[26px]">
          {attestations.map((code) => (
            <Badge key={code} tone="warn">
              {gates[code].title}
            </Badge>
          ))}
        </p>
      )}
      {isChosen && (
        <div className="flex min-w-0 flex-col gap-3 pt-1 pl-[26px]">
          <p className="tabular text-meta text-muted empty:hidden">
            <CostEstimate model={{ id: model }} operation={billed} body={compared.row} />
          </p>
          {asked.length > 0 && (
            <fieldset className="min-w-0 rounded-panel border p-3">
              <legend className="px-1 text-meta text-muted">Only for {model}</legend>
              <PlannedFields
                place={["own", key]}
                fields={asked}
                value={compared.row}
                baseUrl={baseUrl}
                onChange={onOwn}
                onUploading={onUploading}
              />
            </fieldset>
          )}
          {faults.length > 0 && (
            <p role="status" className="text-meta font-medium text-bad">
              Cannot run: {faults.map(describeFault).join(" ")}
            </p>
          )}
        </div>
      )}
    </li>
  );
}
