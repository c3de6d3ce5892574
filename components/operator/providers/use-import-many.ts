"use client";

import { useRef, useState } from "react";
import { answerOf } from "@/lib/browser/action-answer";
import type { GatewayFailure } from "@/lib/gateway/result";
import { addModel } from "@/lib/operator/model-actions";
import { proposedId } from "../models/model-id.ts";

/** What came of one of the models that are imported together. */
export type ImportResult =
  | { state: "waiting" | "importing" }
  | { state: "added" | "known"; id: string }
  | { state: "failed"; failure: GatewayFailure };

export interface ImportedModel {
  /** The provider's name for it. */
  name: string;
  result: ImportResult;
}

/** Imports models of a provider one after the other: one that fails does not hold up the others, and all can be stopped. */
export function useImportMany(provider: string) {
  const [models, setModels] = useState<readonly ImportedModel[]>([]);
  const [busy, setBusy] = useState(false);
  const stopped = useRef(false);

  const start = async (names: readonly string[]) => {
    const results = new Map<string, ImportResult>(names.map((name) => [name, { state: "waiting" }]));
    const tell = (name: string, result: ImportResult) => {
      results.set(name, result);
      setModels(Array.from(results, ([each, its]) => ({ name: each, result: its })));
    };
    stopped.current = false;
    setBusy(true);
    for (const name of names) {
      if (stopped.current) break;
      tell(name, { state: "importing" });
      tell(name, await importModel(provider, name));
    }
    setBusy(false);
  };
  const stop = () => {
    stopped.current = true;
  };
  return { models, busy, start, stop };
}

async function importModel(provider: string, name: string): Promise<ImportResult> {
  const id = proposedId(name);
  const answer = await answerOf(addModel({ id, import: { provider, name } }));
  if (answer.ok) return { state: "added", id: answer.data.data.id };
  return answer.error.code === "model_exists"
    ? { state: "known", id }
    : { state: "failed", failure: answer.error };
}
