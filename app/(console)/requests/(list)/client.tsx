"use client";

import { RefreshCw } from "lucide-react";
import { useTransition } from "react";
import type { List } from "#contract/list.ts";
import type { RequestRow } from "#contract/usage.ts";
import { RequestFilters } from "@/components/audit/request-filters";
import { RequestHistogram } from "@/components/audit/request-histogram";
import { RequestTable } from "@/components/audit/request-table";
import { Button } from "@/components/ui/button";
import { Pager } from "@/components/ui/list/pager";
import { useListView } from "@/components/ui/list/use-list-view";
import { EmptyState } from "@/components/ui/page/empty-state";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { NotOffered } from "@/components/ui/page/not-offered";
import { PageHeader } from "@/components/ui/page/page-header";
import { usePageRouter } from "@/components/ui/page/use-place";
import type { GatewayResult } from "@/lib/gateway/result";
import { requestList } from "@/lib/lists";

interface RequestsClientProps {
  requests: GatewayResult<List<RequestRow>>;
  keyNames: Record<string, string>;
  modelIds: string[];
  errorCodes: Record<string, string[]>;
}

/** Every call of the API that this account made, with its request id. */
export function RequestsClient({ requests, keyNames, modelIds, errorCodes }: RequestsClientProps) {
  const router = usePageRouter();
  const [loading, startTransition] = useTransition();
  const { view, change, active: chosen } = useListView(requestList, startTransition);
  // It shows more and not less.
  const active = view.console_reads ? chosen - 1 : chosen;
  const clear = () => change({ ...requestList.empty, console_reads: view.console_reads });

  const isOffered = requests.ok || requests.error.code !== "route_not_found";

  return (
    <>
      <PageHeader
        log
        title="Requests"
        description="API requests made by this account. Include the request id when you ask for help."
        actions={
          isOffered && (
            <Button
              icon={<RefreshCw size={16} aria-hidden />}
              busy={loading}
              onClick={() => startTransition(() => router.refresh())}
            >
              Refresh
            </Button>
          )
        }
      />
      {!isOffered ? (
        <NotOffered what="a request log">
          Every response still includes a request id, and this console shows it with every error.
        </NotOffered>
      ) : (
        <>
          <RequestFilters
            list={{ view, active, change, clear }}
            keyNames={keyNames}
            modelIds={modelIds}
            errorCodes={errorCodes}
          />
          <RequestHistogram
            view={view}
            onNarrow={(created_after, created_before) => change({ since: "", created_after, created_before })}
          />
          {!requests.ok ? (
            <ErrorPanel error={requests.error} onRetry={() => router.refresh()} />
          ) : requests.data.data.length === 0 ? (
            <EmptyState
              title={active > 0 ? "No requests match these filters" : "No requests yet"}
              body="API requests appear here a moment after they finish."
              action={active > 0 ? <Button onClick={clear}>Clear filters</Button> : undefined}
            />
          ) : (
            <div aria-busy={loading}>
              <RequestTable rows={requests.data.data} keyNames={keyNames} />
              <Pager
                hasMore={requests.data.has_more}
                first={requests.data.first_id}
                last={requests.data.last_id}
                count={requests.data.data.length}
                total={{
                  route: "GET /requests",
                  query: requestList.filterOf(view, Date.now()),
                  noun: "request",
                }}
              />
            </div>
          )}
        </>
      )}
    </>
  );
}
