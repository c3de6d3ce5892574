"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { BatchCheckRequest, BatchFault } from "#contract/batches.ts";
import { isSame } from "#contract/input-schema/json-values.ts";
import { useWords } from "#words";
import { useGates } from "@/components/playground/use-gates";
import { useKeptDraft } from "@/components/ui/form/use-kept-draft";
import { type AttestationCode, isAttestationCode, isPerRequest } from "@/lib/attestations/gates";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { type Candidate, fitting } from "@/lib/compare/candidates";
import type { ComparisonDraft, ComparisonStart } from "@/lib/compare/common-input";
import { type CommonInput, commonFrom, isEmptyInput } from "@/lib/compare/common-input";
import { type Idea, suggestedFor } from "@/lib/compare/ideas";
import { type ComparedRow, rowFor } from "@/lib/compare/row-for";
import { draftsStore, storable, writeDraft } from "@/lib/schema-form/draft";
import { isObject, type JsonObject } from "@/lib/schema-form/json";

export type Comparison = ReturnType<typeof useComparison>;

interface KeyedRow {
  /** Key of the candidate. */
  key: string;
  row: ComparedRow["row"];
}

/** The common input, the models that accept it, and the chosen ones among them. */
export function useComparison(accountId: string, candidates: readonly Candidate[], start: ComparisonStart) {
  const t = useWords("compare");
  const { draft, update, startAgain, undo } = useComparisonDraft(accountId, candidates, start);
  const { input, chosen: keys, own } = draft;
  const [uploading, setUploading] = useState(0);

  const offered = useMemo(() => fitting(candidates, input), [candidates, input]);
  const chosen = keys.flatMap((key) => offered.find((each) => each.key === key) ?? []);
  const choose = (next: readonly string[]) => update((now) => ({ ...now, chosen: next }));
  const isChosen = (key: string) => chosen.some((each) => each.key === key);
  const rowOf = (candidate: Candidate) => rowFor(candidate, input, t, own[candidate.key]);
  const rows = chosen.map((candidate) => ({ key: candidate.key, row: rowOf(candidate).row }));
  const check = useComparisonCheck(rows);
  const gatesOf = (asking: readonly Candidate[]) => ({
    safety_requirements: requirementsOf(asking.flatMap(({ attestations }) => attestations)),
  });
  const attested = useGates(gatesOf(chosen));
  const offeredGates = useGates(gatesOf(offered));
  /** Missing attestations are not faults here, because the user gives them before the run. */
  const faultsOf = ({ key }: Pick<Candidate, "key">): BatchFault[] =>
    isChosen(key)
      ? check.faultsOf(key).filter(({ code }) => !isAttestationCode(code) || isPerRequest(code))
      : [];

  return {
    input,
    isEmpty: isEmptyInput(input),
    change: (next: (now: CommonInput) => CommonInput) =>
      update((now) => ({ ...now, input: next(now.input) })),
    /** Fills in an idea, and chooses models of its kind that need no attestation. */
    begin: (idea: Idea) => {
      const chosen = suggestedFor(idea, candidates).map(({ key }) => key);
      update((now) => ({ ...now, input: idea.input, chosen }));
    },
    startAgain,
    undo,
    offered,
    chosen,
    choose,
    toggle: (key: string) => choose(isChosen(key) ? keys.filter((other) => other !== key) : [...keys, key]),
    rowOf,
    /** A removed value stays removed instead of returning to the example's value. */
    setOwn: (key: string, name: string, value: unknown) =>
      update((now) => ({ ...now, own: { ...now.own, [key]: { ...now.own[key], [name]: value } } })),
    faultsOf,
    /** The rows that can run once the missing attestations are given. */
    fit: rows.filter((row) => faultsOf(row).length === 0),
    check,
    attested,
    /** The attestations that any of the offered models requires. */
    offeredGates,
    uploading,
    onUploading: useCallback((by: 1 | -1) => setUploading((count) => Math.max(0, count + by)), []),
  };
}

const checkAfterMs = 500;

/** The gateway's check of the rows, shortly after the last change. Nothing runs. */
function useComparisonCheck(rows: readonly KeyedRow[]) {
  const text = JSON.stringify(rows);
  const [asked, setAsked] = useState<{ text: string; revision: number } | null>(null);
  useEffect(() => {
    const timer = setTimeout(
      () => setAsked((last) => ({ text, revision: (last?.revision ?? 0) + 1 })),
      checkAfterMs,
    );
    return () => clearTimeout(timer);
  }, [text]);
  const query = useQuery({
    queryKey: ["batches", "comparison", asked?.revision ?? 0],
    queryFn: async ({ signal }) => {
      const sent = JSON.parse(asked?.text ?? "[]") as KeyedRow[];
      return {
        keys: sent.map(({ key }) => key),
        check: await fetchRoute("POST /batches/check", { body: comparisonOf(sent), signal }),
      };
    },
    enabled: asked !== null && asked.text !== "[]",
    placeholderData: keepPreviousData,
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  const { data } = query;
  return {
    failure: rows.length > 0 ? failureBehind(query.error) : null,
    isCurrent: asked?.text === text && query.isSuccess && !query.isPlaceholderData,
    /** The maximum cost of all rows that can run. */
    maxCost: rows.length > 0 ? (data?.check.most_cost ?? null) : null,
    faultsOf(key: string): BatchFault[] {
      const row = (data?.keys.indexOf(key) ?? -1) + 1;
      return row === 0 ? [] : (data?.check.faults.filter((fault) => fault.row === row) ?? []);
    },
  };
}

/** The comparison as a request to the gateway. */
export function comparisonOf(rows: readonly KeyedRow[]): BatchCheckRequest {
  const [first] = rows;
  if (!first) throw new Error("a comparison has rows");
  const { model, api_type } = first.row;
  return { kind: "comparison", model, api_type, rows: rows.map(({ row }) => row) };
}

function requirementsOf(codes: readonly AttestationCode[]) {
  return {
    minimum_age: null,
    adult_attestation_required: codes.includes("adult_attestation_required"),
    portrait_rights_attestation_required: codes.includes("portrait_rights_attestation_required"),
    // The form of each row asks for this confirmation instead.
    per_request_person_rights_confirmation_required: false,
  };
}

/** Stored beside the drafts of operations, which have a colon in their keys. */
const draftKey = "comparison";

/**
 * The comparison's draft in this browser. A run, preset or draft in the address replaces it, unless the
 * stored draft was edited from the same original: then a reload keeps the edits, and a button discards them.
 */
function useComparisonDraft(accountId: string, candidates: readonly Candidate[], asked: ComparisonStart) {
  const store = useMemo(() => draftsStore(accountId), [accountId]);
  // Fixed when the page opens, so that refreshing data does not restore old edits.
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
  // An upload can finish, or another field change, before React renders the previous change.
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
    /** Returns to the input in the address. Null if nothing was changed. */
    startAgain: isAsked && !isSame(draft, first) ? () => replace(first) : null,
    /** Returns to the changed input. Null if there is none. */
    undo: restore,
  };
}

/** The input in an address. `input` is null if the address names only models. */
type Original = Pick<ComparisonStart, "input" | "chosen" | "own">;

/** A comparison in this browser's storage, with its original. */
interface KeptComparison extends ComparisonDraft {
  original: Original;
}

const asksOf = ({ input, chosen, own }: ComparisonStart): Original => ({ input, chosen, own });

/** A draft that starts from the original. If the original has no input, the previous draft's input stays. */
function begin(original: Original, before: ComparisonDraft | null): KeptComparison {
  return { ...original, input: original.input ?? before?.input ?? {}, original };
}

/** Reads a stored draft. Null for any other value. */
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

/** Removes the confirmation, because each run needs a new one. */
function storableComparison(kept: KeptComparison): KeptComparison {
  const own = Object.entries(kept.own).map(([key, values]) => [key, storable(values)]);
  return { ...kept, own: Object.fromEntries(own) };
}
