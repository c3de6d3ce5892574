"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Upload } from "#contract/upload.ts";
import { failureToast } from "@/components/ui/failure-toast";
import { useToast } from "@/components/ui/toast";
import { accountOfPage } from "@/lib/browser/gateway";
import { forgetId } from "@/lib/browser/remembered-ids";
import { settled } from "@/lib/browser/settled";
import { removeUpload } from "@/lib/uploads/actions";

/** How long a deletion can be undone unless its message is held open: nothing is sent before. */
const undoMs = 6_000;

/** Hides an upload at once and deletes it when the message that can undo it goes, or when the page is left. */
export function useDeleteWithUndo() {
  const { toast } = useToast();
  const client = useQueryClient();
  const waiting = useRef(new Set<string>());
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());

  const show = useCallback((id: string) => {
    setHidden((ids) => new Set([...ids].filter((other) => other !== id)));
  }, []);

  const remove = useCallback(
    async (id: string) => {
      if (!waiting.current.delete(id)) return;
      const answer = await settled(removeUpload(id));
      if (answer.ok || answer.error.code === "upload_not_found") {
        forgetId("upload", id);
        await client.invalidateQueries({ queryKey: ["uploads"] });
        return;
      }
      show(id);
      const shown = await failureToast(answer.error);
      toast({ ...shown, title: `Not deleted. ${shown.title}` });
    },
    [client, show, toast],
  );

  const deleteSoon = (upload: Upload) => {
    const { id } = upload;
    const name = upload.filename ?? id;
    setHidden((ids) => new Set([...ids, id]));
    waiting.current.add(id);
    const undo = () => {
      if (waiting.current.delete(id)) show(id);
    };
    toast({
      title: `Deleting ${name}`,
      durationMs: undoMs,
      action: { label: "Undo", onClick: undo },
      onClose: () => void remove(id),
    });
  };

  useEffect(() => {
    const unsent = waiting.current;
    const headers = accountOfPage(); // the address is another page's by the time this one goes
    const flush = () => {
      for (const id of unsent) {
        forgetId("upload", id);
        // `keepalive` lets the request outlive the page; an action has no such option.
        const request = { method: "DELETE", keepalive: true, headers };
        void fetch(`/api/gateway/uploads/${id}`, request).catch(() => {});
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
