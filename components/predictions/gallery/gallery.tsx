"use client";

import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useEffect, useRef, useState } from "react";
import { operationPaths } from "#contract/catalog-constants.ts";
import type { List } from "#contract/list.ts";
import { outputKinds } from "#contract/output-constants.ts";
import type { Output } from "#contract/outputs.ts";
import { useWords } from "#words";
import { useAccess } from "@/components/team/access";
import { Button, LinkButton } from "@/components/ui/button";
import type { FilteredList } from "@/components/ui/list/list-filters";
import { NewRows } from "@/components/ui/list/new-rows";
import { isBeingRead } from "@/components/ui/list/use-held-list";
import { useListView } from "@/components/ui/list/use-list-view";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { failureToast } from "@/components/ui/page/failure-toast";
import { usePageRouter } from "@/components/ui/page/link";
import { LiveSwitch } from "@/components/ui/page/live-page";
import { useToast } from "@/components/ui/toast";
import { failureBehind, fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { callRoute, sendToGateway } from "@/lib/browser/gateway";
import { newRunKey } from "@/lib/browser/runs/run-key";
import { failureOf } from "@/lib/gateway/result";
import { type GalleryFilterName, galleryList } from "@/lib/prediction-lists";
import { queryKeys } from "@/lib/query-keys";
import { confirmationKey } from "@/lib/schema-form/draft";
import { playgroundHref, predictionHref } from "../links.ts";
import { GallerySkeleton, PredictionsHeader } from "../predictions-header.tsx";
import { RunFilters, ViewSwitch } from "../run-filters.tsx";
import { GalleryGrid } from "./gallery-grid.tsx";
import type { GallerySelectionProps } from "./gallery-selection.tsx";

/** The viewer and its actions are loaded when the first file is opened. */
const GalleryViewer = dynamic(() => import("./gallery-viewer.tsx").then((module) => module.GalleryViewer), {
  ssr: false,
});

/** Loaded when the first file is selected. */
const GallerySelection = dynamic(
  () => import("./gallery-selection.tsx").then((module) => module.GallerySelection),
  { ssr: false },
);

interface GalleryProps {
  /** The first page, and the address to which it belongs. */
  initial: { scope: string; list: List<Output> };
  modelIds: string[];
}

/** All stored outputs as pictures. The URL contains the filters, like that of the list. */
export function Gallery({ initial, modelIds }: GalleryProps) {
  const t = useWords("predictions");
  const { view, change, clear, active } = useListView(galleryList);
  const scope = galleryList.searchOf(view);
  const container = useRef<HTMLDivElement>(null);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const runAgain = useRunAgain();
  const outputs = useOutputs({ scope, filter: () => galleryList.filterOf(view, Date.now()), initial });
  const { files, waiting, hasMore, failure } = outputs;
  const opened = files.find(({ id }) => id === openedId);
  const selection = useSelection(files);
  const [asked, setAsked] = useState<GallerySelectionProps["asked"]>(null);

  const follow = useRef(() => {});
  follow.current = () => {
    const isRead = selection.ids.size > 0 || openedId !== null || isBeingRead(container.current);
    if (waiting > 0 && !isRead) outputs.take();
  };
  // After each answer, the page decides by the user's activity whether to insert new files.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is an occasion.
  useEffect(() => follow.current(), [outputs.updatedAtMs]);

  return (
    <>
      <PredictionsHeader
        isGallery
        actions={
          <>
            <ViewSwitch shown="gallery" view={view} />
            <LiveSwitch {...outputs.live} updatedAtMs={outputs.updatedAtMs} />
          </>
        }
      />
      <GalleryFilters
        list={{ view, change, clear, active }}
        modelIds={modelIds}
        summary={files.length === 0 ? "" : t(hasMore ? "filesSoFar" : "filesShown", { files: files.length })}
      />
      {failure && <ErrorPanel error={failure} onRetry={outputs.retry} />}
      {files.length > 0 && (
        <p className="mb-2 text-meta text-muted pointer-coarse:hidden">{t("arrowKeysMoveSpaceOpens")}</p>
      )}
      <div role="status" className="contents">
        {waiting > 0 && <NewRows count={waiting} container={container} onShow={outputs.take} />}
      </div>
      {files.length > 0 && (
        <GalleryGrid
          key={scope}
          container={container}
          files={files}
          hasMore={hasMore}
          onNearEnd={outputs.readMore}
          selected={selection.ids}
          open={({ id }) => setOpenedId(id)}
          select={selection.toggle}
          clearSelection={selection.clear}
          onLetter={(letter, file) => {
            if (letter === "r") void runAgain(file);
            else setAsked({ action: letter === "k" ? "keep" : "compare", file });
          }}
        />
      )}
      {outputs.isReading && !failure && <GallerySkeleton />}
      {files.length === 0 && !outputs.isReading && !failure && (
        <NothingMade filtered={active > 0} onClear={clear} />
      )}
      {(selection.files.length > 0 || asked) && (
        <GallerySelection
          files={selection.files}
          asked={asked}
          onAnswered={() => setAsked(null)}
          onClear={selection.clear}
          onKept={outputs.replace}
        />
      )}
      {opened && <GalleryViewer file={opened} files={files} onClose={() => setOpenedId(null)} />}
    </>
  );
}

type Pages = InfiniteData<List<Output>, string | null>;

interface OutputsOptions {
  /** The filters in the address. Different filters mean a different gallery. */
  scope: string;
  filter: () => ReturnType<typeof galleryList.filterOf>;
  /** The first page, which the server read. */
  initial: { scope: string; list: List<Output> };
}

const pageRows = 100;

const askEveryMs = 5_000;

/**
 * How many of the newest rows are read again, because runs that end at the same time may be listed in a
 * different order.
 */
const askedAgain = 20;

/**
 * The files of a gallery, page after page, and new files that wait to be shown. They stay in the cache, so
 * that a returning reader finds the same files.
 */
function useOutputs({ scope, filter, initial }: OutputsOptions) {
  const client = useQueryClient();
  const [paused, setPaused] = useState(false);
  const queryKey = queryKeys.gallery(scope);
  const read = (place: { after?: string; before?: string }, signal: AbortSignal) =>
    fetchRoute("GET /outputs", { query: { ...filter(), limit: pageRows, ...place }, signal });
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => read(pageParam === null ? {} : { after: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ has_more, last_id }) => (has_more ? last_id : null),
    ...(initial.scope === scope && { initialData: { pages: [initial.list], pageParams: [null] } }),
    // Keeps the rows that were read unchanged, because comparing thousands of rows with themselves would
    // freeze the page.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const files = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const newest = files.slice(0, askedAgain);
  const before = newest.at(-1)?.id;
  const news = useQuery({
    queryKey: [...queryKey, "since", before],
    queryFn: ({ signal }) => read(before === undefined ? {} : { before }, signal),
    enabled: pages.data !== undefined && !paused,
    refetchInterval: askEveryMs,
  });
  const known = new Set(newest.map(({ id }) => id));
  const waiting = news.data?.data.filter(({ id }) => !known.has(id)) ?? [];
  return {
    files,
    waiting: waiting.length,
    /** When the gallery last looked for new files. */
    updatedAtMs: news.dataUpdatedAt || pages.dataUpdatedAt,
    /** Inserts the new files at the start. */
    take: () => {
      if (waiting.length > 0) client.setQueryData<Pages>(queryKey, (data) => data && withNew(data, waiting));
    },
    /** Shows these files as they are now. */
    replace: (changed: readonly Output[]) =>
      client.setQueryData<Pages>(queryKey, (data) => data && withChanged(data, changed)),
    isReading: pages.isPending,
    hasMore: pages.hasNextPage,
    readMore: () => {
      if (pages.hasNextPage && !pages.isFetching) void pages.fetchNextPage();
    },
    isReadingMore: pages.isFetchingNextPage,
    failure: failureBehind(pages.error ?? news.error),
    retry: () => void (pages.isFetchNextPageError ? pages.fetchNextPage() : pages.refetch()),
    live: { paused, onChange: setPaused },
  };
}

function withNew({ pages, pageParams }: Pages, waiting: readonly Output[]): Pages {
  const [first, ...others] = pages;
  if (!first) return { pages, pageParams };
  const data = [...waiting, ...first.data].sort((one, other) => (one.id < other.id ? 1 : -1));
  return { pages: [{ ...first, data }, ...others], pageParams };
}

function withChanged({ pages, pageParams }: Pages, changed: readonly Output[]): Pages {
  const byId = new Map(changed.map((file) => [file.id, file]));
  return {
    pages: pages.map((page) => ({ ...page, data: page.data.map((file) => byId.get(file.id) ?? file) })),
    pageParams,
  };
}

/** Runs the prediction of a file again with the same input, one at a time, and reports the result. */
function useRunAgain(): (file: Output) => Promise<void> {
  const t = useWords("predictions");
  const { toast } = useToast();
  const { may } = useAccess();
  const router = usePageRouter();
  const isUnderWay = useRef(false);

  const run = async (id: string) => {
    const read = await callRoute("GET /predictions/{id}", { params: { id } });
    if (!read.ok) return toast(await failureToast(read.error, t("notRunAgain")));
    const { model, api_type, input } = read.data;
    if (input === null)
      return toast({ tone: "warn", title: t("notRunAgain"), description: t("theInputWasRemoved") });
    if (confirmationKey in input)
      // Each such run needs a person's confirmation, which the playground asks for.
      return router.push(playgroundHref(read.data));
    const sent = await sendToGateway(operationPaths[api_type], {
      method: "POST",
      body: { ...input, model },
      headers: { "idempotency-key": newRunKey() },
    });
    const failure = sent.ok
      ? sent.data.ok
        ? null
        : failureOf(sent.data.status, await sent.data.json().catch(() => null), sent.data.headers)
      : sent.error;
    if (failure) return toast(await failureToast(failure, t("notRunAgain")));
    const { id: started } = sent.ok ? ((await sent.data.json().catch(() => ({}))) as { id?: string }) : {};
    toast({
      title: t("queued"),
      description: t("modelRunsAgainWithThe", { model }),
      ...(started && { action: { label: t("open"), onClick: () => router.push(predictionHref(started)) } }),
    });
  };

  return async ({ prediction_id }) => {
    if (prediction_id === null)
      return toast({
        title: t("notRunAgain"),
        description: t("theFileComesFromA"),
      });
    if (!may("operations:run"))
      return toast({
        tone: "warn",
        title: t("notRunAgain"),
        description: t("yourRoleCannotRunOperations"),
      });
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    await run(prediction_id).finally(() => {
      isUnderWay.current = false;
    });
  };
}

interface GalleryFiltersProps {
  list: FilteredList<GalleryFilterName>;
  modelIds: string[];
  summary: string;
}

const kindLabels = { image: "images", video: "videos", audio: "sound" } as const;

/** There is no status filter, because only succeeded predictions have outputs. */
function GalleryFilters(props: GalleryFiltersProps) {
  const t = useWords("predictions");
  const kinds = outputKinds.map((value) => ({ value, label: t(kindLabels[value]) }));
  return (
    <RunFilters {...props} first={[{ name: "kind", label: t("kind"), any: t("anyKind"), options: kinds }]} />
  );
}

const none: ReadonlySet<string> = new Set();

/** The selected files, in the order of the gallery. */
function useSelection(files: readonly Output[]) {
  const [ids, setIds] = useState(none);
  const last = useRef<string | null>(null);
  const placeOf = (id: string | null) => files.findIndex((file) => file.id === id);
  return {
    ids,
    files: ids.size === 0 ? [] : files.filter(({ id }) => ids.has(id)),
    toggle({ id }: Output, range: boolean) {
      const next = new Set(ids);
      const [from, to] = [placeOf(last.current), placeOf(id)];
      if (range && from >= 0)
        for (const file of files.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(file.id);
      else if (!next.delete(id)) next.add(id);
      last.current = id;
      setIds(next);
    },
    clear: () => setIds(none),
  };
}

function NothingMade({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useWords("predictions");
  return filtered ? (
    <EmptyState
      drawing="frames"
      title={t("noFilesMatchTheseFilters")}
      body={t("chooseALongerPeriodOr")}
      action={<Button onClick={onClear}>{t("clearFilters")}</Button>}
    />
  ) : (
    <EmptyState
      drawing="frames"
      title={t("noFilesYet")}
      body={t("imagesVideosAndSoundFrom")}
      action={
        <LinkButton href="/catalog" variant="primary">
          {t("chooseAModel")}
        </LinkButton>
      }
    />
  );
}
