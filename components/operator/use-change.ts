"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/link";
import { useUndoable } from "@/components/ui/page/use-undoable";
import { useToast } from "@/components/ui/toast";
import { act } from "@/lib/gateway/act";
import type { ActionResult, Changed, GatewayFailure } from "@/lib/gateway/result";

/** Reloads the page's data and the providers' answers, which may differ after a change of a key. */
function useRenewal() {
  const router = usePageRouter();
  const queries = useQueryClient();
  return () => {
    router.refresh();
    void queries.invalidateQueries({ queryKey: ["operator"] });
  };
}

const undoChange = (id: string) => act("POST /operator/changes/{id}/undo", { params: { id } });

/** Undoes a change by its id, and reports it. */
export function useUndo() {
  const { undo } = useUndoable(useRenewal());
  return (changeId: string) => undo(() => undoChange(changeId));
}

/** Changes the configuration. Each success is reported with an Undo button, and reloads the page's data. */
export function useChange() {
  const undoable = useUndoable(useRenewal());
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);

  /** Null on success. Otherwise the failure, which a form shows beside its fields. */
  const change = async <Data>(
    call: ActionResult<Changed<Data>>,
    title: string | ((data: Data) => string),
    then?: (data: Data) => void,
  ): Promise<GatewayFailure | null> => {
    setBusy(true);
    const done = await undoable.change(
      call,
      ({ data }) => (typeof title === "string" ? title : title(data)),
      ({ changeId }) => (changeId ? () => undoChange(changeId) : null),
    );
    setBusy(false);
    if ("failure" in done) return done.failure;
    then?.(done.data.data);
    return null;
  };

  /** Like `change`, but for a button: a failure becomes a toast. */
  const press = async <Data>(
    call: ActionResult<Changed<Data>>,
    title: string | ((data: Data) => string),
    then?: (data: Data) => void,
  ): Promise<void> => {
    const failure = await change(call, title, then);
    if (failure) toast(await failureToast(failure));
  };

  return { busy, change, press };
}
