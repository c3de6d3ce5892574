"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { Upload } from "#contract/upload.ts";
import { useDeleteWithUndo as useDeletion } from "@/components/ui/use-delete-with-undo";
import { forgetId } from "@/lib/browser/remembered-ids";
import { forgetUnfinished } from "@/lib/browser/resumable/unfinished";
import { act } from "@/lib/gateway/act";

/** Deletes uploads. Each deletion can be undone for a while. */
export function useDeleteWithUndo() {
  const client = useQueryClient();
  const { hidden, deleteSoon } = useDeletion({
    path: "/uploads",
    remove: (id) => act("DELETE /uploads/{id}", { params: { id } }),
    goneCode: "upload_not_found",
    onGone: (id) => {
      forgetId("upload", id);
      forgetUnfinished(id);
      void client.invalidateQueries({ queryKey: ["uploads"] });
    },
  });
  return { hidden, deleteSoon: ({ id, filename }: Upload) => deleteSoon(id, filename ?? id) };
}
