"use client";

import { useCallback, useMemo, useRef } from "react";
import { useKeptDraft } from "@/components/ui/form/use-kept-draft";
import {
  conversationStore,
  type KeptConversation,
  newConversation,
} from "@/lib/conversations/kept-conversation";

/** What the conversation with an operation has beside its draft; this browser keeps it. */
export function useConversation(accountId: string, operationId: string) {
  const store = useMemo(() => conversationStore(accountId, operationId), [accountId, operationId]);
  const { draft, notKept, change } = useKeptDraft<KeptConversation>({
    initial: () => newConversation,
    load: useCallback(() => store.load(), [store]),
    save: useCallback((next: KeptConversation) => store.save(next), [store]),
  });
  // Two answers may end before the first is drawn.
  const latest = useRef(draft);
  latest.current = draft;
  const update = useCallback(
    (next: (now: KeptConversation) => KeptConversation) => {
      latest.current = next(latest.current);
      change(latest.current);
    },
    [change],
  );
  return { conversation: draft, latest, update, notKept };
}
