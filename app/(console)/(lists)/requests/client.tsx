"use client";

import { useQuery } from "@tanstack/react-query";
import { Columns2, RefreshCw } from "lucide-react";
import dynamic from "next/dynamic";
import { useState, useTransition } from "react";
import type { List } from "#contract/list.ts";
import type { RequestRow } from "#contract/usage.ts";
import { useWords } from "#words";
import { TimeChart } from "@/components/activity/time-chart";
import { RequestFilters } from "@/components/audit/request-filters";
import { RequestTable } from "@/components/audit/request-table";
import { useAccess } from "@/components/team/access";
import { Button } from "@/components/ui/button";
import { ListBody } from "@/components/ui/list/list-body";
import { useListView } from "@/components/ui/list/use-list-view";
import { usePageRouter } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { Skeleton } from "@/components/ui/page/skeleton";
import { stepsOf, valuesOf } from "@/lib/activity/chart";
import { stepsFor } from "@/lib/activity/spans";
import { fetchRoute } from "@/lib/browser/fetch-from-gateway";
import { formatNumber } from "@/lib/format";
import type { GatewayResult } from "@/lib/gateway/result";
import { timeBounds } from "@/lib/list-view";
import { queryKeys } from "@/lib/query-keys";
import { requestList } from "@/lib/request-list";
import { compareRequestsHref, maxComparedRequests } from "@/lib/requests/compare-href";

const NotOffered = dynamic(
  () => import("@/components/ui/page/not-offered").then((module) => module.NotOffered),
  { loading: () => null },
);
const EmptyState = dynamic(
  () => import("@/components/ui/page/empty-state").then((module) => module.EmptyState),
  { loading: () => null },
);
const SelectionBar = dynamic(
  () => import("@/components/ui/list/selection-bar").then((module) => module.SelectionBar),
  { ssr: false },
);
const FoundContents = dynamic(
  () => import("@/components/audit/found-contents").then((module) => module.FoundContents),
  { ssr: false, loading: () => <Skeleton className="h-40" /> },
);

interface RequestsClientProps {
  requests: GatewayResult<List<RequestRow>>;
  keyNames: Record<string, string>;
  memberNames: Record<string, string>;
  modelIds: string[];
  errorCodes: Record<string, string[]>;
}

/** The account's API calls with their request ids. */
export function RequestsClient({
  requests,
  keyNames,
  memberNames,
  modelIds,
  errorCodes,
}: RequestsClientProps) {
  const t = useWords("requests");
  const router = usePageRouter();
  const [loading, startTransition] = useTransition();
  const [refreshes, setRefreshes] = useState(0);
  const { view, change, active: chosen } = useListView(requestList, startTransition);
  // `console_reads` adds rows instead of hiding some, so it does not count as a filter.
  const active = view.console_reads ? chosen - 1 : chosen;
  const clear = () => change({ ...requestList.empty, console_reads: view.console_reads });

  const mayRead = useAccess().may("contents:read");
  const names = { ...keyNames, ...memberNames };

  const isOffered = requests.ok || requests.error.code !== "route_not_found";

  return (
    <>
      <PageHeader
        log
        title={t("requests")}
        description={t("apiRequestsOfThisAccount")}
        actions={
          isOffered && (
            <Button
              icon={<RefreshCw size={16} aria-hidden />}
              busy={loading}
              onClick={() => {
                setRefreshes(refreshes + 1);
                startTransition(() => router.refresh());
              }}
            >
              {t("refresh")}
            </Button>
          )
        }
      />
      {!isOffered ? (
        <NotOffered what={t("aRequestLog")}>{t("everyResponseStillIncludesA")}</NotOffered>
      ) : (
        <>
          <RequestFilters
            list={{ view, active, change, clear }}
            keyNames={keyNames}
            modelIds={modelIds}
            errorCodes={errorCodes}
          />
          {view.said !== "" && mayRead ? (
            <FoundContents
              key={`${refreshes}${requestList.searchOf(view)}`}
              refreshes={refreshes}
              words={view.said}
              filterAt={(nowMs) => requestList.filterOf(view, nowMs)}
              names={names}
              search={requestList.searchOf(view)}
              onClear={clear}
            />
          ) : (
            <>
              {view.said !== "" && (
                <p className="mb-3 flex flex-wrap items-center gap-3 rounded-control bg-warn-soft px-3 py-2">
                  {t("onlyOwnersCanSearch")}
                  <Button size="sm" onClick={() => change({ said: "" })}>
                    {t("clear")}
                  </Button>
                </p>
              )}
              {/* An empty list already shows that there are no requests, so the chart is left out. */}
              {!(requests.ok && requests.data.data.length === 0) && (
                <RequestHistogram
                  view={view}
                  onNarrow={(created_after, created_before) =>
                    change({ since: "", created_after, created_before })
                  }
                />
              )}
              <ListBody
                answer={requests}
                total={{
                  route: "GET /requests",
                  query: requestList.filterOf(view, Date.now()),
                  noun: "request",
                }}
                empty={
                  <EmptyState
                    title={active > 0 ? t("noRequestsMatchTheseFilters") : t("noRequestsYet")}
                    body={t("apiRequestsAppearHere")}
                    action={active > 0 ? <Button onClick={clear}>{t("clearFilters")}</Button> : undefined}
                  />
                }
                busy={loading}
              >
                {(rows) => <KeptRequests rows={rows} names={names} search={requestList.searchOf(view)} />}
              </ListBody>
            </>
          )}
        </>
      )}
    </>
  );
}

interface KeptRequestsProps {
  rows: RequestRow[];
  names: Record<string, string>;
  search: string;
}

/** The rows with the first words of the calls whose contents are kept. Two of them can be compared. */
function KeptRequests({ rows, names, search }: KeptRequestsProps) {
  const t = useWords("requests");
  const router = usePageRouter();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const mayRead = useAccess().may("contents:read");
  const ids = rows.flatMap(({ run_id: id, contents }) => (contents === "kept" && id ? [id] : []));
  const { data } = useQuery({
    queryKey: queryKeys.openings(ids),
    queryFn: ({ signal }) =>
      fetchRoute("GET /contents", { query: { ids: ids.join(), limit: rows.length }, signal }),
    enabled: mayRead && ids.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const openings = new Map(data?.data.map(({ id, opening }) => [id, opening]));
  const selection = {
    ids: ticked,
    set: setTicked,
    labelOf: ({ id }: RequestRow) => t("compareId", { id }),
    head: t("compare"),
    max: maxComparedRequests,
  };
  return (
    <>
      {ticked.size > 0 && (
        <SelectionBar count={ticked.size} noun="request" onClear={() => setTicked(new Set())}>
          <Button
            size="sm"
            icon={<Columns2 size={14} aria-hidden />}
            onClick={() => router.push(compareRequestsHref([...ticked]))}
          >
            {ticked.size < maxComparedRequests ? t("compareWith") : t("compare")}
          </Button>
        </SelectionBar>
      )}
      <RequestTable
        rows={rows}
        names={names}
        openings={openings}
        search={search}
        selection={mayRead ? selection : undefined}
      />
    </>
  );
}

type View = typeof requestList.empty;

interface RequestHistogramProps {
  view: View;
  /** Limits the list to a period, in RFC 3339. */
  onNarrow: (after: string, before: string) => void;
}

const dayMs = 86_400_000;
const pollMs = 30_000;
/** The end of the period is rounded up to this, so that the same query can be cached for a while. */
const endStepMs = 60_000;

/** Requests over time. Dragging, or the keyboard, limits the list to a part of it. */
function RequestHistogram({ view, onNarrow }: RequestHistogramProps) {
  const t = useWords("requests");
  const now = Math.ceil(Date.now() / endStepMs) * endStepMs;
  const { created_after, created_before } = timeBounds(view, now);
  const to = created_before ? Date.parse(created_before) : now;
  const from = created_after ? Date.parse(created_after) : to - dayMs;
  const query = queryOf(view);
  const isValid = query !== null && Number.isFinite(from) && Number.isFinite(to) && from < to;
  const { data } = useQuery({
    queryKey: ["activity", "requests", query, created_after, created_before],
    queryFn: ({ signal }) =>
      fetchRoute("GET /activity", { query: { ...stepsFor(from, to), ...query }, signal }),
    enabled: isValid,
    placeholderData: (previous) => previous,
    refetchInterval: pollMs,
  });
  if (!isValid) return <p className="mb-3 text-meta text-muted">{t("thereIsNoChartFor")}</p>;
  return (
    <div className="mb-4 min-h-32">
      {view.runs && <p className="mb-1 text-meta text-muted">{t("theChartCountsAllRuns")}</p>}
      {view.model && !view.runs && (
        <p className="mb-1 text-meta text-muted">{t("theChartCountsRequestsThat")}</p>
      )}
      {data && (
        <TimeChart
          label={t(view.runs ? "runsOverTime" : "requestsOverTime")}
          steps={stepsOf(data)}
          step={data.step}
          kind="bars"
          height="h-24"
          hasTable={false}
          format={formatNumber}
          onPick={(stretch) =>
            onNarrow(new Date(stretch.from).toISOString(), new Date(stretch.to).toISOString())
          }
          pickHint={t("narrowsTheListToThem")}
          series={[
            {
              name: t("succeeded"),
              tone: "accent",
              values: valuesOf(data, (row) => row.runs - row.errors, 0),
            },
            { name: t("errors"), tone: "bad", values: valuesOf(data, ({ errors }) => errors, 0) },
          ]}
        />
      )}
    </div>
  );
}

/** The filters as the query for figures. Null if the gateway has no figures for this combination. */
function queryOf({ runs, status_class, code, route, model, key_id, ...others }: View) {
  const { status, actor, user_id, metadata, client_request_id, conversation, contents } = others;
  const uncounted = [status, actor, user_id, metadata, client_request_id, conversation, contents];
  if (uncounted.some((value) => value !== "") || (key_id && (route || model)) || (runs && route)) return null;
  const given = Object.entries({ status_class, code, route, model, key_id }).filter(
    ([, value]) => value !== "",
  );
  const filter = Object.fromEntries(given) as { route?: string; model?: string; key_id?: string };
  return { ...filter, of: runs ? ("runs" as const) : ("requests" as const) };
}
