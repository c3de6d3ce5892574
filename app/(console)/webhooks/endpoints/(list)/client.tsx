"use client";

import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, useState, useTransition } from "react";
import type { List } from "#contract/list.ts";
import type { Endpoint } from "#contract/webhook.ts";
import { Permitted } from "@/components/team/permitted";
import { Button } from "@/components/ui/button";
import { FilterBar } from "@/components/ui/list/filter-bar";
import { Pager } from "@/components/ui/list/pager";
import { SearchFilter } from "@/components/ui/list/search-filter";
import { useListView } from "@/components/ui/list/use-list-view";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { Link } from "@/components/ui/page/link";
import { PageHeader } from "@/components/ui/page/page-header";
import { usePageRouter } from "@/components/ui/page/use-place";
import { EndpointsEmpty } from "@/components/webhooks/endpoints/endpoints-empty";
import { EndpointsTable } from "@/components/webhooks/endpoints/endpoints-table";
import { KnownEndpoints } from "@/components/webhooks/endpoints/known-endpoints";
import type { GatewayResult } from "@/lib/gateway/result";
import { endpointList } from "@/lib/lists";

const AddEndpoint = dynamic(() => import("./add-endpoint").then((module) => module.AddEndpoint), {
  ssr: false,
});

interface EndpointsClientProps {
  endpoints: GatewayResult<List<Endpoint>>;
  /** What stands below the list. */
  children: ReactNode;
}

/** The receivers of this account, and the way to add one. */
export function EndpointsClient({ endpoints, children }: EndpointsClientProps) {
  const router = usePageRouter();
  const [adding, setAdding] = useState(false);
  const [loading, startTransition] = useTransition();
  const { view, change, clear, active } = useListView(endpointList, startTransition);
  const canList = endpoints.ok || endpoints.error.code !== "route_not_found";

  const add = (
    <Permitted to="endpoints:manage">
      <Button variant="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
        Add endpoint
      </Button>
    </Permitted>
  );

  return (
    <>
      <PageHeader
        title="Webhook endpoints"
        description={
          <>
            URLs notified when a prediction finishes.{" "}
            <Link href="/webhooks/event-types" className="text-accent underline underline-offset-2">
              All types of events
            </Link>
          </>
        }
        actions={add}
      />
      {!canList ? (
        <KnownEndpoints key={String(adding)} />
      ) : !endpoints.ok ? (
        <ErrorPanel error={endpoints.error} onRetry={() => router.refresh()} />
      ) : endpoints.data.data.length === 0 && active === 0 ? (
        <EndpointsEmpty onAdd={() => setAdding(true)} />
      ) : (
        <div aria-busy={loading}>
          <FilterBar active={active} onClear={clear}>
            <SearchFilter
              of="descriptions and URLs"
              value={view.search}
              onChange={(search) => change({ search })}
            />
          </FilterBar>
          {endpoints.data.data.length > 0 ? (
            <EndpointsTable endpoints={endpoints.data.data} />
          ) : (
            <p className="rounded-panel border border-dashed p-6 text-center text-muted">
              No endpoints have these words.
            </p>
          )}
          <Pager
            hasMore={endpoints.data.has_more}
            first={endpoints.data.first_id}
            last={endpoints.data.last_id}
            count={endpoints.data.data.length}
            total={{
              route: "GET /webhooks/endpoints",
              query: endpointList.filterOf(view, Date.now()),
              noun: "endpoint",
            }}
          />
        </div>
      )}
      {children}
      {adding && (
        <AddEndpoint
          canList={canList}
          onCancel={() => setAdding(false)}
          onAdded={() => {
            setAdding(false);
            router.refresh();
          }}
        />
      )}
    </>
  );
}
