"use client";

import { useCallback, useMemo, useState } from "react";
import type { BatchFault } from "#contract/batches.ts";
import { useGates } from "@/components/playground/use-gates";
import { type AttestationCode, isAttestationCode, isPerRequest } from "@/lib/attestations/gates";
import { type Candidate, fitting } from "@/lib/compare/candidates";
import { type CommonInput, isEmptyInput } from "@/lib/compare/common-input";
import { rowFor } from "@/lib/compare/row-for";
import type { ComparisonStart } from "@/lib/compare/start";
import { useComparisonCheck } from "./use-comparison-check.ts";
import { useComparisonDraft } from "./use-comparison-draft.ts";

export type Comparison = ReturnType<typeof useComparison>;

/** The common input, the models that can take it, and which of them were chosen. */
export function useComparison(accountId: string, candidates: readonly Candidate[], start: ComparisonStart) {
  const { draft, update, startAgain, undo } = useComparisonDraft(accountId, candidates, start);
  const { input, chosen: keys, own } = draft;
  const [uploading, setUploading] = useState(0);

  const offered = useMemo(() => fitting(candidates, input), [candidates, input]);
  const chosen = keys.flatMap((key) => offered.find((each) => each.key === key) ?? []);
  const choose = (next: readonly string[]) => update((now) => ({ ...now, chosen: next }));
  const isChosen = (key: string) => chosen.some((each) => each.key === key);
  const rowOf = (candidate: Candidate) => rowFor(candidate, input, own[candidate.key]);
  const rows = chosen.map((candidate) => ({ key: candidate.key, row: rowOf(candidate).row }));
  const check = useComparisonCheck(rows);
  const attested = useGates({
    safety_requirements: requirementsOf(chosen.flatMap(({ attestations }) => attestations)),
  });
  /** Attestations are given when it is run. */
  const faultsOf = ({ key }: Pick<Candidate, "key">): BatchFault[] =>
    isChosen(key)
      ? check.faultsOf(key).filter(({ code }) => !isAttestationCode(code) || isPerRequest(code))
      : [];

  return {
    input,
    isEmpty: isEmptyInput(input),
    change: (next: (now: CommonInput) => CommonInput) =>
      update((now) => ({ ...now, input: next(now.input) })),
    startAgain,
    undo,
    offered,
    chosen,
    choose,
    toggle: (key: string) => choose(isChosen(key) ? keys.filter((other) => other !== key) : [...keys, key]),
    rowOf,
    /** A value that is taken out is not that of the example again. */
    setOwn: (key: string, name: string, value: unknown) =>
      update((now) => ({ ...now, own: { ...now.own, [key]: { ...now.own[key], [name]: value } } })),
    faultsOf,
    /** The rows that can run, once their attestations are given. */
    fit: rows.filter((row) => faultsOf(row).length === 0),
    check,
    attested,
    uploading,
    onUploading: useCallback((by: 1 | -1) => setUploading((count) => Math.max(0, count + by)), []),
  };
}

function requirementsOf(codes: readonly AttestationCode[]) {
  return {
    minimum_age: null,
    adult_attestation_required: codes.includes("adult_attestation_required"),
    portrait_rights_attestation_required: codes.includes("portrait_rights_attestation_required"),
    // Each row is confirmed in its own form.
    per_request_person_rights_confirmation_required: false,
  };
}
