"use client";

import dynamic from "next/dynamic";
import type { BatchFault } from "#contract/batches.ts";
import { CostEstimate } from "@/components/playground/cost-estimate";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/form/checkbox";
import { gates } from "@/lib/attestations/gates";
import { faultWords } from "@/lib/batches/faults";
import type { Candidate } from "@/lib/compare/candidates";
import type { ComparedRow } from "@/lib/compare/row-for";

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

/** One model: what it leaves out, what it needs beside the common input, what it costs, and why it cannot run. */
export function CandidateCard({ candidate, compared, isChosen, isFull, ...rest }: CandidateCardProps) {
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
              Cannot run: {faults.map(faultWords).join(" ")}
            </p>
          )}
        </div>
      )}
    </li>
  );
}
