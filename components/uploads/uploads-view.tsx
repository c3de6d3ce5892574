"use client";

import { useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { useAccess } from "@/components/team/access";
import { unfinishedUploads } from "@/lib/browser/resumable/unfinished";
import { DropAnywhere } from "./drop-anywhere.tsx";
import { queueSummary } from "./queue.ts";
import { UploadsList } from "./uploads-list.tsx";
import { useDeleteWithUndo } from "./use-delete-with-undo.ts";
import { useToldProgress } from "./use-told-progress.ts";
import { useUploadQueue } from "./use-upload-queue.ts";

const QueueList = dynamic(() => import("./queue-list.tsx").then((module) => module.QueueList), {
  ssr: false,
});
const RememberedUploads = dynamic(
  () => import("./remembered-uploads.tsx").then((module) => module.RememberedUploads),
  { ssr: false },
);
const UnfinishedUploads = dynamic(
  () => import("./unfinished-uploads.tsx").then((module) => module.UnfinishedUploads),
  { ssr: false },
);

interface UploadsViewProps {
  /** Null when the gateway offers no list of uploads. */
  initial: ComponentProps<typeof UploadsList>["initial"] | null;
}

/** Send files, and see what is stored. */
export function UploadsView({ initial }: UploadsViewProps) {
  const client = useQueryClient();
  const { may } = useAccess();
  const [finished, setFinished] = useState(0);
  const { hidden, deleteSoon } = useDeleteWithUndo();
  const queue = useUploadQueue(() => {
    setFinished((count) => count + 1);
    void client.invalidateQueries({ queryKey: ["uploads"] });
  });
  const [hasUnfinished, setHasUnfinished] = useState(false);
  const { length } = queue.items;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is added to the queue or taken off it may be unfinished
  useEffect(() => setHasUnfinished(unfinishedUploads().length > 0), [length]);
  // An upload that another tab begins or ends changes the list.
  const toldIds = [...useToldProgress().keys()].sort().join();
  const toldBefore = useRef(toldIds);
  useEffect(() => {
    if (toldBefore.current === toldIds) return;
    toldBefore.current = toldIds;
    setFinished((count) => count + 1);
    void client.invalidateQueries({ queryKey: ["uploads"] });
  }, [client, toldIds]);
  const ownIds = queue.items.flatMap(({ upload, continues }) => {
    const id = (upload ?? continues)?.id;
    return id === undefined ? [] : [id];
  });
  return (
    <>
      {may("uploads:write") && <DropAnywhere onFiles={queue.add} />}
      <p role="status" className="sr-only">
        {queueSummary(queue.items)}
      </p>
      {queue.items.length > 0 && (
        <QueueList
          items={queue.items}
          onPause={queue.pause}
          onCancel={queue.cancel}
          onAgain={queue.again}
          onDismiss={queue.dismiss}
        />
      )}
      {hasUnfinished && may("uploads:write") && (
        <UnfinishedUploads away={[...ownIds, ...hidden]} onGoOn={queue.goOn} onDelete={deleteSoon} />
      )}
      {initial ? (
        <UploadsList initial={initial} finished={finished} hidden={hidden} onDelete={deleteSoon} />
      ) : (
        <RememberedUploads finished={finished} hidden={hidden} onDelete={deleteSoon} />
      )}
    </>
  );
}
