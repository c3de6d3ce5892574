"use client";

import { RefreshCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useTransition } from "react";
import type { RequestRow } from "#contract/account.ts";
import { errorCatalogue } from "#contract/error.ts";
import type { List } from "#contract/list.ts";
import { RequestTable } from "@/components/audit/request-table";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorPanel } from "@/components/ui/error-panel";
import { FilterBar } from "@/components/ui/filter-bar";
import { FilterSelect } from "@/components/ui/filter-select";
import { NotOffered } from "@/components/ui/not-offered";
import { PageHeader } from "@/components/ui/page-header";
import { Pager } from "@/components/ui/pager";
import type { GatewayResult } from "@/lib/gateway/result";
import { requestSearch } from "./search-params";

interface RequestsClientProps {
  requests: GatewayResult<List<RequestRow>>;
  keyNames: Record<string, string>;
  modelIds: string[];
}

const statuses = [200, 201, 202, 400, 401, 402, 403, 404, 409, 413, 422, 429, 500, 502, 503, 504];

/** Every call of the API that this account made, with its request id. */
export function RequestsClient({ requests, keyNames, modelIds }: RequestsClientProps) {
  const router = useRouter();
  const [loading, startTransition] = useTransition();
  const [search, setSearch] = useQueryStates(requestSearch, {
    history: "push",
    shallow: false,
    startTransition,
  });
  const change = (next: Partial<typeof search>) => setSearch({ ...next, after: null, before: null });
  const { status, code, model, key_id, actor } = search;
  const active = [status, code, model, key_id, actor].filter(
    (value) => value !== null && value !== "",
  ).length;
  const clear = () => change({ status: null, code: "", model: "", key_id: "", actor: null });

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
          <FilterBar active={active} onClear={clear}>
            <FilterSelect
              label="Status"
              any="Any status"
              value={status === null ? "" : String(status)}
              options={statuses.map((value) => ({ value: String(value), label: String(value) }))}
              onChange={(value) => change({ status: value === "" ? null : Number(value) })}
            />
            <FilterSelect
              label="Error code"
              any="Any code"
              value={code}
              options={Object.keys(errorCatalogue).map((value) => ({ value, label: value }))}
              onChange={(value) => change({ code: value })}
            />
            <FilterSelect
              label="Model"
              any="Any model"
              value={model}
              options={modelIds.map((value) => ({ value, label: value }))}
              onChange={(value) => change({ model: value })}
            />
            <FilterSelect
              label="Made by"
              any="Anyone"
              value={actor ?? ""}
              options={[
                { value: "key", label: "Programs (account key)" },
                { value: "user", label: "Signed-in people" },
              ]}
              onChange={(value) => change({ actor: value === "key" || value === "user" ? value : null })}
            />
            <FilterSelect
              label="Key"
              any="Any key"
              value={key_id}
              options={Object.entries(keyNames).map(([value, label]) => ({ value, label }))}
              onChange={(value) => change({ key_id: value })}
            />
          </FilterBar>
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
              />
            </div>
          )}
        </>
      )}
    </>
  );
}
