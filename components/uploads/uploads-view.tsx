"use client";

import { useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import type { List } from "#contract/list.ts";
import type { Upload } from "#contract/upload.ts";
import { useWords } from "#words";
import { GuideLink } from "@/components/guides/guide-link";
import { useAccess } from "@/components/team/access";
import { MemberFilter } from "@/components/team/made-by";
import { Button } from "@/components/ui/button";
import { ListFilters } from "@/components/ui/list/list-filters";
import { LiveRows, useLiveList } from "@/components/ui/list/live-list";
import { SearchFilter } from "@/components/ui/list/text-filter";
import { useDeleteWithUndo as useDeletion } from "@/components/ui/use-delete-with-undo";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { forgetId } from "@/lib/browser/remembered-ids";
import { forgetUnfinished, unfinishedUploads } from "@/lib/browser/resumable/unfinished";
import { act } from "@/lib/gateway/act";
import { uploadList } from "@/lib/lists";
import { queryKeys } from "@/lib/query-keys";
import { uploadOptions } from "@/lib/status/upload";
import { DropAnywhere } from "./drop-anywhere.tsx";
import { queueSummary } from "./queue.ts";
import { UploadsTable } from "./uploads-table.tsx";
import { useOtherTabsProgress } from "./use-other-tabs-progress.ts";
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
  /** Null if the gateway has no list of uploads. */
  initial: ComponentProps<typeof UploadsList>["initial"] | null;
}

/** Sends files and lists the stored ones. */
export function UploadsView({ initial }: UploadsViewProps) {
  const t = useWords("uploads");
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
  // An upload that another tab starts or ends changes the list.
  const otherTabsIds = [...useOtherTabsProgress().keys()].sort().join();
  const earlierIds = useRef(otherTabsIds);
  useEffect(() => {
    if (earlierIds.current === otherTabsIds) return;
    earlierIds.current = otherTabsIds;
    setFinished((count) => count + 1);
    void client.invalidateQueries({ queryKey: ["uploads"] });
  }, [client, otherTabsIds]);
  const ownIds = queue.items.flatMap(({ upload, continues }) => {
    const id = (upload ?? continues)?.id;
    return id === undefined ? [] : [id];
  });
  return (
    <>
      {may("uploads:write") && <DropAnywhere onFiles={queue.add} />}
      <p role="status" className="sr-only">
        {queueSummary(queue.items, t)}
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
        <UnfinishedUploads
          away={[...ownIds, ...hidden]}
          onContinue={queue.continueUpload}
          onDelete={deleteSoon}
        />
      )}
      {initial ? (
        <UploadsList initial={initial} finished={finished} hidden={hidden} onDelete={deleteSoon} />
      ) : (
        <RememberedUploads finished={finished} hidden={hidden} onDelete={deleteSoon} />
      )}
    </>
  );
}

const EmptyState = dynamic(
  () => import("@/components/ui/page/empty-state").then((module) => module.EmptyState),
  {
    loading: () => null,
  },
);

/** While an upload is unfinished, a program may change its state. */
const unfinishedEveryMs = 5_000;

interface UploadsListProps {
  initial: { query: ReturnType<typeof uploadList.queryOf>; list: List<Upload> };
  /** Number of files that were sent from this page. */
  finished: number;
  hidden: ReadonlySet<string>;
  onDelete: (upload: Upload) => void;
}

function UploadsList({ initial, finished, hidden, onDelete }: UploadsListProps) {
  const t = useWords("uploads");
  const states = useWords("states");
  const live = useLiveList({
    list: uploadList,
    initial,
    queryKey: queryKeys.uploads,
    read: (query, signal) => fetchRoute("GET /uploads", { query, signal }),
    everyMs: (shown) =>
      shown.some(({ status }) => status === "pending" || status === "uploaded") && unfinishedEveryMs,
  });
  const { view, change, clear, active, list, release } = live;
  // Files that were just sent are shown even while somebody is reading the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another file is an occasion.
  useEffect(() => release(), [finished]);
  const rows = live.rows.filter((upload) => !hidden.has(upload.id));
  return (
    <>
      {(active > 0 || rows.length > 0) && (
        <ListFilters
          list={live}
          before={
            <SearchFilter of={t("fileNames")} value={view.search} onChange={(search) => change({ search })} />
          }
          selects={[
            { name: "status", label: t("status"), any: t("anyStatus"), options: uploadOptions(states) },
          ]}
        >
          <MemberFilter value={view.user_id} onChange={(user_id) => change({ user_id })} />
        </ListFilters>
      )}
      <LiveRows list={live} count={rows.length} total={{ route: "GET /uploads", noun: "upload" }}>
        {rows.length > 0 && <UploadsTable uploads={rows} onDelete={onDelete} />}
        {list && rows.length === 0 && (
          <EmptyState
            drawing="frames"
            title={active > 0 ? t("noUploadsMatchThisFilter") : t("noUploadsYet")}
            body={
              active > 0 ? (
                t("clearTheFilterToSee")
              ) : (
                <>
                  {t("uploadAFileOnce")} <GuideLink to="uploads">{t("howToUpload")}</GuideLink>
                </>
              )
            }
            {...(active > 0 && { action: <Button onClick={clear}>{t("clearFilter")}</Button> })}
          />
        )}
      </LiveRows>
    </>
  );
}

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
