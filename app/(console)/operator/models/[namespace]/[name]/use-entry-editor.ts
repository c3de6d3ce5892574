"use client";

import { useMemo, useState } from "react";
import type { OperatorModel } from "#contract/operator/models.ts";
import { draftOf, type EntryDraft, unreadable, updateOf } from "@/components/operator/models/entry-draft";
import { useChange } from "@/components/operator/use-change";
import { useUnloadWarning } from "@/components/ui/form/use-unload-warning";
import { changeConfiguration } from "@/lib/gateway/act";
import { type GatewayFailure, localFailure } from "@/lib/gateway/result";
import { modelParams } from "@/lib/operator/model-params";

/** The draft of an operator's entry; saving makes it the next revision. */
export function useEntryEditor(model: OperatorModel, operation: OperatorModel["operations"][number]) {
  const { busy, change } = useChange();
  const before = useMemo(() => draftOf(model, operation), [model, operation]);
  const [draft, setDraft] = useState(before);
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const update = updateOf(draft, before);
  const dirty = Object.keys(update).length > 0;
  useUnloadWarning(dirty);

  const save = async () => {
    const wrong = unreadable(draft);
    const problem =
      wrong.length > 0 &&
      localFailure("invalid_json", `Fix the JSON of the ${wrong.join(" and the ")} first.`);
    setFailure(problem || null);
    if (problem) return;
    const describe = ({ revision }: OperatorModel) => `${model.id} saved as revision ${revision}`;
    const call = { params: modelParams(model.id), body: update };
    const saved = changeConfiguration("PATCH /operator/models/{namespace}/{name}", call);
    setFailure(await change(saved, describe));
  };

  return {
    draft,
    edit: (part: Partial<EntryDraft>) => setDraft((held) => ({ ...held, ...part })),
    discard: () => setDraft(before),
    save,
    busy,
    dirty,
    failure,
  };
}
