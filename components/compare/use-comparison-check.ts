"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { BatchCheckRequest, BatchFault } from "#contract/batches.ts";
import { failureBehind, fetchRoute } from "@/lib/browser/gateway";
import type { ComparedRow } from "@/lib/compare/row-for";

const checkAfterMs = 500;

export interface KeyedRow {
  /** Key of the candidate. */
  key: string;
  row: ComparedRow["row"];
}

/** The comparison as a request to the gateway. */
export function comparisonOf(rows: readonly KeyedRow[]): BatchCheckRequest {
  const [first] = rows;
  if (!first) throw new Error("a comparison has rows");
  const { model, api_type } = first.row;
  return { kind: "comparison", model, api_type, rows: rows.map(({ row }) => row) };
}

/** The gateway's check of the rows, shortly after the last change. Nothing runs. */
export function useComparisonCheck(rows: readonly KeyedRow[]) {
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
