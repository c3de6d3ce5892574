"use client";

import { useCallback, useMemo } from "react";
import type { CatalogOperation } from "#contract/catalog.ts";
import { useKeptDraft } from "@/components/ui/form/use-kept-draft";
import {
  confirmationKey,
  type Draft,
  draftsStore,
  exampleDraft,
  readDraft,
  writeDraft,
} from "@/lib/schema-form/draft";
import type { JsonObject } from "@/lib/schema-form/json";
import type { FormPlan } from "@/lib/schema-form/plan";

/** The draft of one operation. The first draft is the operation's example. */
export function useDraft(plan: FormPlan, operation: CatalogOperation, accountId: string) {
  const store = useMemo(() => draftsStore(accountId), [accountId]);
  const { draft, notKept, change, replace, restore } = useKeptDraft<Draft>({
    initial: () => exampleDraft(plan, operation.example),
    load: useCallback(() => store.load(operation.id), [store, operation.id]),
    save: useCallback((next: Draft) => store.save(operation.id, next), [store, operation.id]),
  });
  return {
    draft,
    notKept,
    setText: (text: string) => change(readDraft(text)),
    setValue: (value: JsonObject) => change(writeDraft(value)),
    replace,
    restore,
    /** Each run needs a new confirmation. */
    clearConfirmation() {
      if (!draft.value || !(confirmationKey in draft.value)) return;
      const { [confirmationKey]: _confirmed, ...rest } = draft.value;
      change(writeDraft(rest));
    },
  };
}
