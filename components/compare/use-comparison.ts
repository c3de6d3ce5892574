"use client";

import { useCallback, useMemo, useState } from "react";
import type { BatchFault } from "#contract/batches.ts";
import { useGates } from "@/components/playground/use-gates";
import { useKeptDraft } from "@/components/ui/form/use-kept-draft";
import { type AttestationCode, isAttestationCode, isPerRequest } from "@/lib/attestations/gates";
import { type Candidate, fitting } from "@/lib/compare/candidates";
import { type CommonInput, commonFrom, isEmptyInput } from "@/lib/compare/common-input";
import { rowFor } from "@/lib/compare/row-for";
import type { ComparisonStart } from "@/lib/compare/start";
import { writeDraft } from "@/lib/schema-form/draft";
import { draftsStore } from "@/lib/schema-form/drafts-store";
import type { JsonObject } from "@/lib/schema-form/json";
import { useComparisonCheck } from "./use-comparison-check.ts";

/** Beside the drafts of operations, whose keys have a colon. */
const draftKey = "comparison";

export type Comparison = ReturnType<typeof useComparison>;

/** The common input, the models that can take it, and which of them were chosen. */
export function useComparison(accountId: string, candidates: readonly Candidate[], start: ComparisonStart) {
  const { input, change } = useCommonInput(accountId, candidates, start);
  const [keys, setKeys] = useState<readonly string[]>(start.chosen);
  const [own, setOwn] = useState<Record<string, JsonObject>>(start.own);
  const [uploading, setUploading] = useState(0);

  const offered = useMemo(() => fitting(candidates, input), [candidates, input]);
  const chosen = keys.flatMap((key) => offered.find((each) => each.key === key) ?? []);
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
    change,
    offered,
    chosen,
    choose: setKeys,
    toggle: (key: string) => setKeys(isChosen(key) ? keys.filter((other) => other !== key) : [...keys, key]),
    rowOf,
    /** A value that is taken out is not that of the example again. */
    setOwn: (key: string, name: string, value: unknown) =>
      setOwn((all) => ({ ...all, [key]: { ...all[key], [name]: value } })),
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

/** The common input, kept in this browser; a run, preset or draft that was asked for takes its place. */
function useCommonInput(accountId: string, candidates: readonly Candidate[], asked: ComparisonStart) {
  const store = useMemo(() => draftsStore(accountId), [accountId]);
  // What the page was opened with; a refresh of it brings no edit back.
  const [{ start, source }] = useState(() => ({
    start: asked,
    source: candidates.find(({ key }) => key === asked.draftOf),
  }));
  const kept = useKeptDraft<CommonInput>({
    initial: () => start.input ?? {},
    load: useCallback(() => {
      if (start.input) return null;
      if (source) return commonFrom(source, store.load(source.key)?.value ?? {});
      return (store.load(draftKey)?.value as CommonInput | null | undefined) ?? null;
    }, [start, source, store]),
    save: useCallback((input: CommonInput) => store.save(draftKey, writeDraft({ ...input })), [store]),
  });
  return { input: kept.draft, change: kept.change };
}
