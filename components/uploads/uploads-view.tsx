"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { List } from "#contract/list.ts";
import type { Upload } from "#contract/upload.ts";
import { DropAnywhere } from "./drop-anywhere.tsx";
import type { UploadFilter } from "./filter.ts";
import { QueueList } from "./queue-list.tsx";
import { RememberedUploads } from "./remembered-uploads.tsx";
import { UploadsList } from "./uploads-list.tsx";
import { useDeleteWithUndo } from "./use-delete-with-undo.ts";
import { useUploadQueue } from "./use-upload-queue.ts";

interface UploadsViewProps {
  /** Null when the gateway offers no list of uploads. */
  initial: List<Upload> | null;
  initialFilter: UploadFilter;
}

/** Send files, and see what is stored. */
export function UploadsView({ initial, initialFilter }: UploadsViewProps) {
  const client = useQueryClient();
  const [finished, setFinished] = useState(0);
  const { hidden, deleteSoon } = useDeleteWithUndo();
  const queue = useUploadQueue(() => {
    setFinished((count) => count + 1);
    void client.invalidateQueries({ queryKey: ["uploads"] });
  });
  return (
    <>
      <DropAnywhere onFiles={queue.add} />
      <QueueList
        items={queue.items}
        onCancel={queue.cancel}
        onAgain={queue.again}
        onDismiss={queue.dismiss}
      />
      {initial ? (
        <UploadsList initial={initial} initialFilter={initialFilter} hidden={hidden} onDelete={deleteSoon} />
      ) : (
        <RememberedUploads finished={finished} hidden={hidden} onDelete={deleteSoon} />
      )}
    </>
  );
}
