"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import type { Deleted } from "#contract/list.ts";
import { useWords } from "#words";
import { answerOf } from "@/lib/browser/action-answer";
import { accountOfPage } from "@/lib/browser/gateway";
import type { ActionResult } from "@/lib/gateway/result";
import { failureToast } from "./page/failure-toast.ts";
import { useToast } from "./toast.tsx";

/**
 * Nothing is sent during this time, so that the user can undo the deletion. Holding the message open extends
 * it.
 */
const undoMs = 6_000;

interface Deletion {
  /** The gateway's list, such as `/uploads`. */
  path: string;
  remove: (id: string) => ActionResult<Deleted>;
  /** The gateway's code for a row that is already deleted. */
  goneCode: string;
  /** Called when the row was deleted, or when the page closes and the deletion is about to be sent. */
  onGone: (id: string) => void;
}

/** Hides a row at once, and deletes it when the message with the undo closes or the user leaves the page. */
export function useDeleteWithUndo(deletion: Deletion) {
  const t = useWords("ui");
  const { toast } = useToast();
  const latest = useRef(deletion);
  latest.current = deletion;
  const waiting = useRef(new Set<string>());
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());

  const show = useCallback((id: string) => {
    setHidden((ids) => new Set([...ids].filter((other) => other !== id)));
  }, []);

  const remove = useCallback(
    async (id: string) => {
      if (!waiting.current.delete(id)) return;
      const { remove, goneCode, onGone } = latest.current;
      const answer = await answerOf(remove(id));
      if (answer.ok || answer.error.code === goneCode) return onGone(id);
      show(id);
      const shown = await failureToast(answer.error);
      toast({ ...shown, title: t("notDeleted", { why: shown.title }) });
    },
    [show, toast, t],
  );

  const deleteSoon = (id: string, name: string) => {
    setHidden((ids) => new Set([...ids, id]));
    waiting.current.add(id);
    const undo = () => {
      if (waiting.current.delete(id)) show(id);
    };
    toast({
      title: t("deleting", { name }),
      durationMs: undoMs,
      action: { label: t("undo"), onClick: undo },
      onClose: () => void remove(id),
    });
  };

  useEffect(() => {
    const unsent = waiting.current;
    // Read early: when this page closes, the address already belongs to the next page.
    const headers = accountOfPage();
    const flush = () => {
      for (const id of unsent) {
        latest.current.onGone(id);
        // `keepalive` lets the request outlive the page. A server action has no such option.
        const request = { method: "DELETE", keepalive: true, headers };
        void fetch(`/api/gateway${latest.current.path}/${id}`, request).catch(() => {});
      }
      unsent.clear();
    };
    window.addEventListener("pagehide", flush);
    return () => {
      window.removeEventListener("pagehide", flush);
      flush();
    };
  }, []);

  return { hidden, deleteSoon };
}
