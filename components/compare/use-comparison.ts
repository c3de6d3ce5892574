"use client";

import { useCallback, useMemo, useRef, useState } from "react";
import type { BatchFault } from "#contract/batches.ts";
import { isSame } from "#contract/input-schema/json-values.ts";
import { useGates } from "@/components/playground/use-gates";
import { useKeptDraft } from "@/components/ui/form/use-kept-draft";
import { type AttestationCode, isAttestationCode, isPerRequest } from "@/lib/attestations/gates";
import { type Candidate, fitting } from "@/lib/compare/candidates";
import { type CommonInput, commonFrom, isEmptyInput } from "@/lib/compare/common-input";
import { rowFor } from "@/lib/compare/row-for";
import type { ComparisonDraft, ComparisonStart } from "@/lib/compare/start";
import { storable, writeDraft } from "@/lib/schema-form/draft";
import { draftsStore } from "@/lib/schema-form/drafts-store";
import { isObject, type JsonObject } from "@/lib/schema-form/json";
import { useComparisonCheck } from "./use-comparison-check.ts";

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

/** Beside the drafts of operations, whose keys have a colon. */
const draftKey = "comparison";

/**
 * What is filled in, kept in this browser. A run, preset or draft that the address asks for takes its place, but not that of
 * what somebody has made of the very same: after a reload their edits are there, with a way back.
 */
function useComparisonDraft(accountId: string, candidates: readonly Candidate[], asked: ComparisonStart) {
  const store = useMemo(() => draftsStore(accountId), [accountId]);
  // What the page was opened with; a refresh of it brings no edit back.
  const [{ start, source }] = useState(() => ({
    start: asked,
    source: candidates.find(({ key }) => key === asked.draftOf),
  }));
  const kept = useKeptDraft<KeptComparison>({
    initial: () => begin(asksOf(start), null),
    load: useCallback(() => {
      const before = readKept(store.load(draftKey)?.value ?? null);
      const input = source ? commonFrom(source, store.load(source.key)?.value ?? {}) : start.input;
      if (input === null && start.chosen.length === 0) return before;
      const original = { ...asksOf(start), input };
      return before && isSame(before.original, original) ? before : begin(original, before);
    }, [start, source, store]),
    save: useCallback(
      (next: KeptComparison) => store.save(draftKey, writeDraft({ ...storableComparison(next) })),
      [store],
    ),
  });
  const { draft, change, replace, restore } = kept;
  // A file may arrive, and another field change, before either is drawn.
  const latest = useRef(draft);
  latest.current = draft;
  const update = useCallback(
    (next: (now: ComparisonDraft) => ComparisonDraft) => {
      latest.current = { ...latest.current, ...next(latest.current) };
      change(latest.current);
    },
    [change],
  );
  const first = begin(draft.original, draft);
  const isAsked = start.input !== null || start.chosen.length > 0;
  return {
    draft,
    update,
    /** Back to what the address asks for; null where nothing was changed. */
    startAgain: isAsked && !isSame(draft, first) ? () => replace(first) : null,
    /** Takes that back; null where it was not done. */
    undo: restore,
  };
}

/** What an address asks for; the input is null where it names models only. */
type Original = Pick<ComparisonStart, "input" | "chosen" | "own">;

/** A comparison as this browser keeps it, with what it began as. */
interface KeptComparison extends ComparisonDraft {
  original: Original;
}

const asksOf = ({ input, chosen, own }: ComparisonStart): Original => ({ input, chosen, own });

/** The draft as the original has it; what that leaves open stays as it was. */
function begin(original: Original, before: ComparisonDraft | null): KeptComparison {
  return { ...original, input: original.input ?? before?.input ?? {}, original };
}

/** What was kept; null for anything else. */
function readKept(value: JsonObject | null): KeptComparison | null {
  if (!value) return null;
  const { input, chosen, own, original } = value;
  if (!isObject(input) || !Array.isArray(chosen) || !isObject(own) || !isObject(original)) return null;
  return {
    input: input as CommonInput,
    chosen,
    own: own as ComparisonDraft["own"],
    original: original as unknown as Original,
  };
}

/** What may be kept: each run asks anew for a confirmation. */
function storableComparison(kept: KeptComparison): KeptComparison {
  const own = Object.entries(kept.own).map(([key, values]) => [key, storable(values)]);
  return { ...kept, own: Object.fromEntries(own) };
}
